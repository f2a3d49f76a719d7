"""The phones at the table, a line each: how another one joins, who is here, and how to let none in."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribpi.companion.entry import texts
from cribpi.companion.entry.choice import Offer, Place, Scene, scene
from cribpi.companion.entry.desk import Desk, PhoneList, PhoneRole
from cribpi.companion.entry.lines import scrolled
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


def phone_lines(place: Place) -> tuple[Text, ...]:
    """Return a line for how a phone joins, one for each that is here, and one for letting none in."""
    here = (_line(phone, place.state.names) for phone in phones_of(place.desk).present)
    return (texts.JOIN, *here, texts.NO_PHONES)


def phones_of(desk: Desk) -> Phones:
    """Return the phones that *desk* is told of."""
    return desk.phones or NO_PHONES


def _line(phone: Phone, names: tuple[str, ...]) -> Text:
    """Say which phone it is, and what it plays along as."""
    if phone.role is None:
        what = "choosing"
    elif phone.role is Role.SEAT and phone.seat is not None and phone.seat < len(names):
        what = names[phone.seat]
    else:
        what = ROLE_TITLES[phone.role]
    return texts.PHONE.of(name=what, number=phone.number, kind=phone.kind)


def phone_list(place: Place, dialog: PhoneList) -> Scene:
    phones, closes = phones_of(place.desk), place.opened(None)
    shut = (Offer("UNDO", texts.CLOSE, closes), Offer("MENU", texts.CLOSE, closes).unlikely())
    if not phones.is_open:
        opens = Offer("OK", texts.LET_PHONES_IN, Reply(place.desk, wish=OpenPhones()))
        return scene("Let phones on your Wi-Fi join this table?", (opens, *shut))
    lines = phone_lines(place)
    at = min(dialog.line, len(lines) - 1)
    does = Offer("OK", *_done_at(place, at, len(lines)))
    moves = scrolled(place, at, [line.long for line in lines], PhoneList)
    return scene(_asks(place, at, lines[at]), (does, *moves, *shut), how=_how(place, does.text))


def _done_at(place: Place, at: int, lines: int) -> tuple[Text, Reply]:
    """Return what OK does with line *at*."""
    desk: Desk = replace(place.desk, dialog=PhoneList())
    if at == 0:
        return texts.DONE, place.opened(None)
    if at == lines - 1:
        return texts.SEND_PHONES_AWAY, Reply(replace(desk, dialog=None), wish=ClosePhones())
    number = phones_of(desk).present[at - 1].number
    return texts.CHANGE_PHONE.of(number=number), place.opened(PhoneRole(number))


def _asks(place: Place, at: int, line: Text) -> str:
    phones = phones_of(place.desk)
    if at:
        return f"Phones: {line.long}"
    if phones.trouble:
        return phones.trouble
    named = f", or http://{phones.host}:{phones.address.rpartition(':')[2]}" if phones.host else ""
    if not phones.code:  # only the board itself knows it
        return (
            f"Scan the code on the board's screen, or open {phones.address}{named} and type the letters there"
        )
    return f"Scan the code with a phone, or open {phones.address}{named} and type {phones.code}"


@dataclass(frozen=True, slots=True)
class RoleLine:
    """A line for what a phone can be, and what OK does there."""

    text: Text
    wish: GiveRole | RemovePhone
    is_so: bool = False
    """Whether it is that now."""


def role_lines(place: Place, number: int) -> tuple[RoleLine, ...]:
    """Return what the phone of this *number* can be, a line each, and last that it goes."""
    now = next((phone for phone in phones_of(place.desk).present if phone.number == number), None)
    if now is None:
        return ()
    names = place.state.names or place.desk.setup.seat_names()
    can = [
        (texts.PHONE_PLAYS.of(name=names[seat]), GiveRole(number, Role.SEAT, seat))
        for seat in seats_of_people(place.state, place.desk)
    ]
    can += [
        (Text(title, title), GiveRole(number, role))
        for role, title in ROLE_TITLES.items()
        if role != Role.SEAT
    ]
    lines = [RoleLine(text, wish, (wish.role, wish.seat) == (now.role, now.seat)) for text, wish in can]
    return (*lines, RoleLine(texts.REMOVE_PHONE.of(number=number), RemovePhone(number)))


def seats_of_people(state: State, desk: Desk) -> tuple[int, ...]:
    """Return the seats of persons in the game that is on, or in the one that is set up."""
    if state.names:
        return tuple(seat for seat in range(state.players) if state.is_person(seat))
    setup = desk.setup
    levels = setup.seat_levels() if setup.entry == Entry.DEALT else (PERSON,) * setup.players
    return tuple(seat for seat, level in enumerate(levels) if level == PERSON)


def phone_role(place: Place, dialog: PhoneRole) -> Scene:
    lines, back = role_lines(place, dialog.number), place.opened(PhoneList())
    shut = (Offer("UNDO", texts.CLOSE, back), Offer("MENU", texts.CLOSE, place.opened(None)).unlikely())
    if not lines:
        return scene(f"Phone {dialog.number} has left", (Offer("OK", texts.DONE, back), *shut))
    at = min(dialog.line, len(lines) - 1)
    chosen = lines[at]
    does = Offer("OK", chosen.text, replace(back, wish=chosen.wish))
    moves = scrolled(
        place, at, [line.text.long for line in lines], lambda line: PhoneRole(dialog.number, line)
    )
    return scene(
        f"Phone {dialog.number}: {chosen.text.long}", (does, *moves, *shut), how=_how(place, does.text)
    )


def _how(place: Place, does: Text) -> str:
    say = place.pad.named
    up, down = ("P1", "P2") if place.pad.has_ranks else ("UP", "DOWN")
    return f"{say('OK')}: {does.long}, {say(up)} and {say(down)} move, {say('UNDO')} closes"
