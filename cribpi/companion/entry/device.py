"""Dialogs for the device, its settings and the phones. They open from the menu."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cribpi import __version__
from cribpi.companion.entry.choice import GameView, KeyBinding, Row, Rows, Scene, Text, closing
from cribpi.companion.entry.effect import Effect, TableCommand
from cribpi.companion.entry.input_state import (
    ChangeSettings,
    InputState,
    PhoneList,
    PhoneRole,
    Status,
    SwitchOff,
)
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.entry.lists import NEXT, back_and_on, how_to_change, how_to_move, list_scene
from cribpi.companion.entry.phones import (
    ROLE_TITLES,
    ClosePhones,
    GiveRole,
    OpenPhones,
    Phone,
    Phones,
    RemovePhone,
    Role,
)
from cribpi.companion.entry.settings import Setting

RESET: Final = "hold:UNDO"
"""Key that resets all settings. It is a long press, to avoid accidents."""


def change_settings(view: GameView, dialog: ChangeSettings) -> Scene:
    context, settings = view.context, view.context.machine.rows()
    reset = view.pad.long_press_key(RESET) if context.has_changes else None
    title = "SETTINGS" if reset is None else f"HOLD {reset} TO RESET"
    found = tuple(_row(view, setting) for setting in settings)
    rows = Rows(title, found, dialog.line % len(found))
    # A numpad has no separate P1 and P2: in this list, two of its rank keys serve as them.
    ranks = set(RANKS) - set(dict(view.pad.sides))
    has_more = view.pad.has_ranks and len(found) > len(ranks)
    following = KeyBinding("GO", NEXT, view.opened(ChangeSettings((rows.at + 1) % len(found))))
    more = f", {view.pad.label_for('GO')} to go to the next" if has_more else ""
    return list_scene(
        view,
        dialog,
        rows,
        f"Settings, {rows.at + 1} of {len(found)}. {rows.row.sentence}",
        key_help=f"{how_to_change(view.pad)}{more}. {view.pad.label_for('OK')}: Done",
        others=[following] if has_more else [],
        leave=(
            KeyBinding(
                RESET,
                Text("Reset all settings", "reset"),
                Effect(view.input_state, context=context.as_usual()),
                is_likely=False,
            ),
            *closing(view),
        ),
    )


def _row(view: GameView, setting: Setting) -> Row:
    context, name = view.context, Text(setting.brief, setting.brief)
    value = setting.titled(context.value(setting.name))

    def turned(step: int) -> Effect:
        """Return the effect that selects the next or previous value.

        It wraps around only if there are two values.
        """
        values = [value for value, _ in context.machine.values(setting.name)]
        at, last = values.index(context.value(setting.name)) + step, len(values) - 1
        after = values[at % 2 if last == 1 else min(max(at, 0), last)]
        return Effect(view.input_state, context=context.with_value(setting.name, after))

    return Row(name, view.opened(None), "Done", value, value[:1].lower() + value[1:], turned=turned)


def switch_off(view: GameView, _dialog: SwitchOff) -> Scene:
    closed = replace(view.input_state, dialog=None)
    # OK has opened this dialog, so a second press of OK must not shut the Pi down.
    bindings = (
        KeyBinding("P1", Text("Switch off", "off"), Effect(closed, command=TableCommand.SHUT_DOWN)),
        KeyBinding("P2", "Restart", Effect(closed, command=TableCommand.RESTART)),
        KeyBinding("UNDO", "Cancel", Effect(closed)),
        KeyBinding("MENU", "Cancel", Effect(closed)).unlikely(),
    )
    return Scene("Switch the Pi off, or restart it?", bindings)


def version() -> str:
    return f"cribpi {__version__}"


def status(view: GameView, dialog: Status) -> Scene:
    address = view.phones.page
    where = f": the page is at {address}" if address else ": phones are off"
    if view.context.here.phones is None:  # a phone's view does not show the address
        where = ""
    # The number of pages depends on the faults, which only the screen knows.
    back, on = (view.opened(Status(max(dialog.line + step, 0))) for step in (-1, 1))
    bindings = (
        KeyBinding("OK", "Done", view.opened(None)),
        *back_and_on("P1", "P2", back, on),
        *back_and_on("UP", "DOWN", back, on),
        *closing(view),
    )
    return Scene(f"{version()}{where}", bindings)


def phone_list(view: GameView, dialog: PhoneList) -> Scene:
    phones, closed = view.phones, replace(view.input_state, dialog=None)
    if not phones.is_open:
        opens = KeyBinding(
            "OK",
            Text("Let phones join", "let them join"),
            Effect(view.input_state, phone_command=OpenPhones()),
        )
        prompt = "Let phones on your Wi-Fi join this table?"
        return Scene(prompt, (opens, *closing(view, is_likely=True)))
    found = (
        Row(Text("let another phone join", "join"), Effect(closed), "Done"),
        *(_phone_row(view, phone) for phone in phones.present),
        Row(
            Text("turn phones off", "phones off"),
            Effect(closed, phone_command=ClosePhones()),
            Text("Turn phones off", "phones off"),
        ),
    )
    rows = Rows("PHONES", found, min(dialog.line, len(found) - 1), cells=18)
    key_help = how_to_move(view.pad, f": {rows.row.ok.long}")
    prompt = f"Phones: {rows.row.sentence}" if rows.at else how_to_join(phones)
    return list_scene(view, dialog, rows, prompt, key_help=key_help, leave=closing(view, is_likely=True))


def _phone_row(view: GameView, phone: Phone) -> Row:
    names = view.state.names
    if phone.role is None:
        what = "choosing"
    elif phone.role is Role.SEAT and phone.seat is not None and phone.seat < len(names):
        what = names[phone.seat]
    else:
        what = ROLE_TITLES[phone.role]
    return Row(
        Text(f"phone {phone.number} ({phone.kind}): {what}", f"{phone.number} {{name}}", what),
        view.opened(PhoneRole(number=phone.number)),
        Text(f"Change phone {phone.number}'s role, or remove it", f"change {phone.number}"),
    )


def how_to_join(phones: Phones) -> str:
    """Return the instructions for joining with a phone, or the reason why phones can't join."""
    if phones.trouble:
        return phones.trouble
    named = f", or http://{phones.host}:{phones.address.rpartition(':')[2]}" if phones.host else ""
    if not phones.code:  # only the board's own screen shows the code
        return (
            f"Scan the code on the board's screen, or open {phones.address}{named} and type the letters there"
        )
    return f"Scan the code with a phone, or open {phones.address}{named} and type {phones.code}"


def phone_role(view: GameView, dialog: PhoneRole) -> Scene:
    back = view.opened(PhoneList())
    leave = (
        KeyBinding("UNDO", "Close", back),
        KeyBinding("MENU", "Close", view.opened(None)).unlikely(),
    )
    found = tuple(_roles(view, dialog.number, back.input_state))
    if not found:
        return Scene(f"Phone {dialog.number} has left", (KeyBinding("OK", "Done", back), *leave))
    rows = Rows(f"PHONE {dialog.number}", found, min(dialog.line, len(found) - 1), cells=14)
    prompt = f"Phone {dialog.number}: {rows.row.sentence}"
    key_help = how_to_move(view.pad, f": {rows.row.sentence}")
    return list_scene(view, dialog, rows, prompt, key_help=key_help, leave=leave)


def _roles(view: GameView, number: int, then: InputState) -> Iterator[Row]:
    """Yield a row for each possible role of phone *number*, then one to remove it. No rows if it has left."""
    now = next((phone for phone in view.phones.present if phone.number == number), None)
    if now is None:
        return
    can: list[tuple[Text, Role, int | None]] = [
        (Text(f"play as {view.names[seat]}", "play as {name}", view.names[seat]), Role.SEAT, seat)
        for seat in view.people
    ]
    can += [(Text(title, title), role, None) for role, title in ROLE_TITLES.items() if role != Role.SEAT]
    for name, role, seat in can:
        shown = "now" if (role, seat) == (now.role, now.seat) else ""
        yield Row(name, Effect(then, phone_command=GiveRole(number, role, seat)), shown=shown)
    yield Row(Text(f"remove phone {number}", "remove it"), Effect(then, phone_command=RemovePhone(number)))
