"""`cribpi score`: count a hand or crib, or one per line of standard input.

Modules that a single hand does not need, such as the rules, are imported late, for a fast start.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from cribpi.commands import streams
from cribpi.cribbage.game.show import total
from cribpi.cribbage.rules.errors import BadCard, RuleError, UserError
from cribpi.cribbage.rules.seats import HAND
from cribpi.cribbage.rules.shown import ranges
from cribpi.cribbage.words.call import call_show
from cribpi.cribbage.words.cards import parse_show
from cribpi.cribbage.words.worth import explained_json, points_of, worth_of

if TYPE_CHECKING:  # importing the rules would take a sixth of the start-up time
    from cribpi.cribbage.rules.rules import Rules


def run(options: Namespace) -> None:
    """Print the count of a hand. With "-", read hands from standard input, and print the points of each."""

    def crib_needs_five() -> bool:
        return rules_of(options).crib_flush == "five"

    size = HAND
    if options.rules or options.rule:
        size = rules_of(options).sizes.counted(is_crib=options.crib)
    if options.hand == "-":
        if options.starter or options.crib or options.steps or options.json:
            raise UserError(
                "- reads whole lines, such as 7H 8C 8D KS | 9S crib, and prints points: leave out --starter, "
                "--crib, --steps and --json"
            )
        for points in score_lines(streams.typed(), crib_needs_five, size):
            print(points)
        return
    cards, starter, has_crib = parse_show(options.hand, options.starter, size)
    is_crib = options.crib or has_crib
    is_strict = is_crib and crib_needs_five()
    scores, may_be = worth_of(cards, starter, is_strict=is_strict)
    call = call_show(scores, in_steps=options.steps)
    if options.json:
        from cribpi.cribbage.words.why import reason_of  # noqa: PLC0415

        rules = rules_of(options)
        rows = [explained_json(one, reason_of(one, rules, is_crib=is_crib)) for one in scores]
        streams.show(
            (), {"points": total(scores), "call": call, "scores": rows, "may_be": may_be}, is_json=True
        )
        return
    print(f"{total(scores)}: {call}")
    if may_be:
        print(f"(it may be {ranges(may_be)}: not all suits were given)")


def rules_of(options: Namespace) -> Rules:
    """Return the rules selected by --rules and --rule.

    Raises:
        UserError: If a rule is unknown, or rules contradict each other.
    """
    if options.rules is None and not options.rule:
        from cribpi.cribbage.rules.rules import STANDARD  # noqa: PLC0415

        return STANDARD
    from cribpi.commands.house import set_up  # noqa: PLC0415
    from cribpi.companion.entry.next_game import NextGame  # noqa: PLC0415

    return set_up(NextGame(), options.rules, options.rule).game_rules()


def score_lines(lines: Iterable[str], is_strict_crib: Callable[[], bool], size: int = HAND) -> Iterator[int]:
    """Yield the points of each hand of *size* cards. Lines that are empty or start with `#` are skipped.

    Raises:
        UserError: At the first invalid line, with its number.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            cards, starter, is_crib = parse_show(line, size=size)
        except (BadCard, RuleError) as bad:
            raise UserError(f"line {number}: {bad}") from None
        yield points_of(cards, starter, is_strict=is_crib and is_strict_crib())
