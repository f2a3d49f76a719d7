"""The phones at the table, a line each: how another one joins, who is here, and how to let none in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cribpi.companion.entry.choice import Offer, Place, Row, Rows, Scene, closing, scene
from cribpi.companion.entry.desk import Desk, PhoneList, PhoneRole
from cribpi.companion.entry.lists import how_to_move, list_scene
from cribpi.companion.entry.phones import (
    NO_PHONES,
    ROLE_TITLES,
    ClosePhones,
    GiveRole,
    OpenPhones,
    Phone,
    Phones,
    RemovePhone,
    Role,
)
from cribpi.companion.entry.reply import Reply
from cribpi.companion.entry.texts import Text
from cribpi.cribbage.game.events import PERSON, Entry
from cribpi.cribbage.game.state import State


def phones_of(desk: Desk) -> Phones:
    """Return the phones on *desk*; a phone's own desk shows none."""
    return desk.phones or NO_PHONES


def phone_list(place: Place, dialog: PhoneList) -> Scene:
    phones, closed = phones_of(place.desk), replace(place.desk, dialog=None)
    if not phones.is_open:
        opens = Offer("OK", Text("Let phones join", "let them join"), Reply(place.desk, wish=OpenPhones()))
        asks = "Let phones on your Wi-Fi join this table?"
        return scene(asks, (opens, *closing(place, is_likely=True)))
    found = (
        Row(Text("let another phone join", "join"), Reply(closed), "Done"),
        *(_row(place, phone) for phone in phones.present),
        Row(
            Text("turn phones off", "phones off"),
            Reply(closed, wish=ClosePhones()),
            Text("Turn phones off", "phones off"),
        ),
    )
    rows = Rows("PHONES", found, min(dialog.line, len(found) - 1), cells=18)
    how = how_to_move(place.pad, f": {rows.row.ok.long}")
    asks = f"Phones: {rows.row.said}" if rows.at else how_to_join(phones)
    return list_scene(place, dialog, rows, asks, how=how, leave=closing(place, is_likely=True))


def _row(place: Place, phone: Phone) -> Row:
    """Say which phone it is, and what it plays along as."""
    names = place.state.names
    if phone.role is None:
        what = "choosing"
    elif phone.role is Role.SEAT and phone.seat is not None and phone.seat < len(names):
        what = names[phone.seat]
    else:
        what = ROLE_TITLES[phone.role]
    return Row(
        Text(f"phone {phone.number} ({phone.kind}): {what}", f"{phone.number} {{name}}", what),
        place.opened(PhoneRole(number=phone.number)),
        Text(f"Change phone {phone.number}'s role, or remove it", f"change {phone.number}"),
    )


def how_to_join(phones: Phones) -> str:
    """Say how another phone joins, or why none can."""
    if phones.trouble:
        return phones.trouble
    named = f", or http://{phones.host}:{phones.address.rpartition(':')[2]}" if phones.host else ""
    if not phones.code:  # only the board itself knows it
        return (
            f"Scan the code on the board's screen, or open {phones.address}{named} and type the letters there"
        )
    return f"Scan the code with a phone, or open {phones.address}{named} and type {phones.code}"


def seats_of_people(state: State, desk: Desk) -> tuple[int, ...]:
    """Return the seats of persons in the game that is on, or in the one that is set up."""
    if state.names:
        return tuple(seat for seat in range(state.players) if state.is_person(seat))
    setup = desk.setup
    levels = setup.seat_levels() if setup.entry == Entry.DEALT else (PERSON,) * setup.players
    return tuple(seat for seat, level in enumerate(levels) if level == PERSON)


def phone_role(place: Place, dialog: PhoneRole) -> Scene:
    back = place.opened(PhoneList())
    leave = (
        Offer("UNDO", "Close", back),
        Offer("MENU", "Close", place.opened(None)).unlikely(),
    )
    found = tuple(_roles(place, dialog.number, back.desk))
    if not found:
        return scene(f"Phone {dialog.number} has left", (Offer("OK", "Done", back), *leave))
    rows = Rows(f"PHONE {dialog.number}", found, min(dialog.line, len(found) - 1), cells=14)
    asks = f"Phone {dialog.number}: {rows.row.said}"
    how = how_to_move(place.pad, f": {rows.row.said}")
    return list_scene(place, dialog, rows, asks, how=how, leave=leave)


def _roles(place: Place, number: int, then: Desk) -> Iterator[Row]:
    """Yield what the phone of this *number* can be, a row each, and last that it goes; nothing if it has."""
    now = next((phone for phone in phones_of(place.desk).present if phone.number == number), None)
    if now is None:
        return
    names = place.state.names or place.desk.setup.seat_names()
    can: list[tuple[Text, Role, int | None]] = [
        (Text(f"play as {names[seat]}", "play as {name}", names[seat]), Role.SEAT, seat)
        for seat in seats_of_people(place.state, place.desk)
    ]
    can += [(Text(title, title), role, None) for role, title in ROLE_TITLES.items() if role != Role.SEAT]
    for name, role, seat in can:
        shown = "now" if (role, seat) == (now.role, now.seat) else ""
        yield Row(name, Reply(then, wish=GiveRole(number, role, seat)), shown=shown)
    yield Row(Text(f"remove phone {number}", "remove it"), Reply(then, wish=RemovePhone(number)))
