"""The chances of winning as tables to look up: `PYTHONPATH=tests python -m support.chances_page` writes them
anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cribpi.cribbage.analysis.winning import average_deal, chance, solve
from cribpi.workshop.tables.endgame import ROUNDS
from support import pages

PAGE = pages.DOCS / "reference" / "chances.md"
REDRAW = "the page lags behind the table; look at it, after `PYTHONPATH=tests python -m support.chances_page`"

STREETS = (*range(0, 120, 10), 120)
LAST_STREET = (*range(91, 120, 2), 120)
ONCE_ROUND = (*range(0, 60, 5), 60)
LAST_HOLES = tuple(range(106, 121))
EVEN_FOR = (*range(0, 90, 5), *range(90, 121, 3))
NEAR = 8
"""A hole is a best or a worst one for the dealer among so many on either side of it."""

HEAD = """\
# The chance of winning

Look up your chance of winning from any pair of scores, to know where you stand, and whether to be bold or careful. The chances are between two strong players, before a deal, when nobody has seen a card. They are in whole percent; `<1` is nearly lost, `>99` nearly won.

See also [how they were made, and how good they are](../explanation/analysis.md#the-chance-of-winning), and [what they hold for](#what-they-hold-for), below. In the middle of a deal [`cribpi advise`](commands.md#cribpi-advise) gives the chance after each possible discard.

This page is written by the program (`PYTHONPATH=tests python -m support.chances_page`), and a test fails when it is out of date.

## At the start

The first dealer wins {first} % of the games to 121, and {first_once} % of those to 61.

## How to read the tables

There are two for each part of the board: one if you deal next, and one if your opponent does. Find your score on the left and your opponent's at the top. With you at 90 and your opponent at 100, you win {ahead} % if you deal, and {behind} % if your opponent deals. The rest, up to 100, is your opponent's chance.

Only the holes each side still needs matter. So a game to 61 is the second half of a game to 121: 20 to 30 there is 80 to 90 here.
"""

WHERE = """
## Where should I be?

### When it is even

The highest score your opponent can have while your chance is still a half or more. If it is higher than yours, you can be behind without being worse off. For a game to 61, subtract 60 from each score.
"""

LEVEL = """
### Level scores

The dealer's chance when both are in the same hole: tens on the left, ones at the top.
"""

WAVES = """
A dealer pegs {dealer} in a deal on average, and pone {pone}: {both} in two deals, in which each has dealt once. So the value of the deal comes in waves about that many holes long. At level scores, the dealer is best off at {best}, and worst off at {worst}. From {last}, a deal with the crib often brings the dealer home; at {last_worst}, pone, who counts first, is often home before the dealer counts.
"""

HOLDS = """
## What they hold for

- Two strong players, like the computer's level [`expert`](opponents.md). Against a weaker player you win more often than this.
- Players who play to the score: over the last 25 holes the chances come from {deals} deals of `expert` against itself. Who keeps and plays the same cards at every score wins less often there than it could.
- The [`standard`](rules.md) rules, to 121, 61 or any other target: only the holes still to go count.
- A win is a win: skunks and stakes are left out.
- His heels make a small difference: if they count nothing, the first dealer wins {heelless} % of the games to 121 and not {first} %.
- By rules in which the last card counts nothing, the play ends with its first go, a flush of four counts in the crib, or players count for themselves, they differ a little. There is no table for these; the computer uses this one.
- They do not hold with three or four players. For two pairs, cribpi has [a table of its own](../explanation/analysis.md#two-pairs), which isn't printed here.
- Once you have seen your cards, you know more than these tables. The page's [bar](../how-to/settings.md#on-the-page) goes by the scores and how far the deal has come, not by the cards.

## Any other pair

The table that comes with cribpi has every pair of scores. Give `chance` your score, your opponent's, whether you deal next, and the target if it is not 121; you get a number from 0 to 1. In a checkout, use `.venv/bin/python`.

```console
$ python -c "from cribpi.cribbage.analysis.winning import chance; print(f'{{chance(96, 101, is_dealer=True):.3f}}')"
{asked:.3f}
$ python -c "from cribpi.cribbage.analysis.winning import chance; print(f'{{chance(40, 37, is_dealer=False, target=61):.3f}}')"
{asked_once:.3f}
```

A score that has already won, or a target over 121, is an error.
"""


def page() -> str:
    """Return the whole page."""
    parts = (
        HEAD.format(
            first=_precise(chance(0, 0, is_dealer=True)),
            first_once=_precise(chance(0, 0, is_dealer=True, target=61)),
            ahead=percent(chance(90, 100, is_dealer=True)),
            behind=percent(chance(90, 100, is_dealer=False)),
        ),
        _pair("A game to 121, every ten holes", STREETS),
        _pair("A game to 121, the last thirty holes", LAST_STREET),
        _pair("A game to 61, every five holes", ONCE_ROUND, target=61),
        _pair("The last fifteen holes, one by one", LAST_HOLES, second=61),
        WHERE,
        _even(),
        LEVEL,
        _level(),
        _waves(),
        HOLDS.format(
            deals=f"{sum(ROUNDS):,}",
            first=_precise(chance(0, 0, is_dealer=True)),
            heelless=_precise(float(solve(average_deal(heels=0))[121, 121])),
            asked=chance(96, 101, is_dealer=True),
            asked_once=chance(40, 37, is_dealer=False, target=61),
        ),
    )
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def percent(chance: float) -> str:
    """Return a *chance* in whole percent; nobody is said to have won or lost before the end.

    >>> percent(0.559), percent(0.998), percent(0.002)
    ('56', '>99', '<1')
    """
    whole = round(100 * chance)
    return "<1" if whole == 0 else ">99" if whole == 100 else str(whole)


def _precise(chance: float) -> str:
    return f"{100 * chance:.1f}"


def _pair(heading: str, holes: Sequence[int], *, target: int = 121, second: int | None = None) -> str:
    """Return the table for when you deal, and that for when the other does; *second* is a target told
    beside."""
    about = f"\nScores of a game to {target}; in brackets those of a game to {second}.\n" if second else ""
    parts = [f"## {heading}\n{about}"]
    off = target - (second or target)
    named = [f"{hole} ({hole - off})" if off else str(hole) for hole in holes]
    for title, is_dealer in (("You deal", True), ("Your opponent deals", False)):
        rows = (
            (f"**{name}**", *(percent(_chance(mine, other, is_dealer, target)) for other in holes))
            for name, mine in zip(named, holes, strict=True)
        )
        parts.append(f"{title}; your score on the left, your opponent's at the top:\n")
        parts.append(_table(("", *named), rows))
    return "\n".join(parts)


def _chance(mine: int, other: int, is_dealer: bool, target: int) -> float:  # noqa: FBT001  told by position in tables
    return chance(mine, other, is_dealer=is_dealer, target=target)


def _even() -> str:
    def highest(mine: int, *, is_dealer: bool) -> str:
        even = [other for other in range(121) if chance(mine, other, is_dealer=is_dealer) >= 0.5]
        return str(max(even)) if even else "none"

    rows = (
        (f"**{mine}**", highest(mine, is_dealer=True), highest(mine, is_dealer=False)) for mine in EVEN_FOR
    )
    return _table(("your score", "if you deal", "if your opponent deals"), rows)


def _level() -> str:
    rows = (
        (f"**{ten}**", *(percent(dealers(ten + one)) if ten + one < 121 else "" for one in range(10)))
        for ten in range(0, 121, 10)
    )
    return _table(("", *map(str, range(10))), rows)


def dealers(hole: int) -> float:
    """Return the dealer's chance when both stand at *hole*, in a game to 121."""
    return chance(hole, hole, is_dealer=True)


def _waves() -> str:
    points = average_deal()
    shown, pegged = range(30), range(20)
    pone = points.pone_hand @ shown + points.play.sum(axis=0) @ pegged
    dealer = (points.dealer_hand + points.crib) @ shown + points.play.sum(axis=1) @ pegged + 2 * points.heels
    inside = range(NEAR, 121 - 5)
    best = [hole for hole in inside if dealers(hole) == max(map(dealers, _near(hole)))]
    worst = [hole for hole in inside if dealers(hole) == min(map(dealers, _near(hole)))]
    return WAVES.format(
        dealer=f"{dealer:.1f}",
        pone=f"{pone:.1f}",
        both=f"{dealer + pone:.1f}",
        best=_list(best),
        worst=_list(worst),
        last=best[-1],
        last_worst=worst[-1],
    )


def _near(hole: int) -> Iterable[int]:
    return range(hole - NEAR, min(hole + NEAR, 120) + 1)


def _list(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ("---", *("---:" for _ in head[1:]))
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *rows))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
