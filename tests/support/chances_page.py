"""Tables of the chances of winning. `PYTHONPATH=tests python -m support.chances_page` rewrites the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cribpi.cribbage.analysis.winning import average_deal, chance, solve
from cribpi.workshop.tables.endgame import ROUNDS
from support import pages

PAGE = pages.DOCS / "reference" / "chances.md"
REDRAW = "the page lags behind the table; look at it, after `PYTHONPATH=tests python -m support.chances_page`"

STREETS = tuple(range(0, 100, 10))
LAST_STREETS = tuple(range(70, 121, 5))
LAST_HOLES = tuple(range(110, 121))
EVEN_FOR = (*range(0, 100, 10), *range(105, 121, 5))
NEAR = 8
"""Distance in holes: a hole is best or worst for the dealer if no hole that near is better or worse."""

HEAD = """\
# The chance of winning

How likely are you to win from here? The chances are for two strong players, before a deal, rounded to 1 %. [How they were made, and how good they are](../explanation/analysis.md#the-chance-of-winning). In the middle of a deal, [`cribpi advise`](commands.md#cribpi-advise) gives the chance after each possible discard.

At the start, the first dealer wins {first} % of the games to 121, and {first_once} % of those to 61.

## Where is the deal worth most?
"""

WAVES = """
A dealer pegs {dealer} per deal on average, and pone {pone}: {both} in two deals. So the value of the deal comes in waves about that many holes long. When the scores are level, the dealer is best off at {best}, and worst off at {worst}. From {last}, a deal with the crib often brings the dealer home; at {last_worst}, pone, who counts first, is often home before the dealer counts.
"""

LEVEL = """
### Level scores

The dealer's chance when both are in the same hole: tens on the left, ones at the top.
"""

EVEN = """
## When is it even?

The highest score your opponent can have while your chance is still a half or more.
"""

READ = """
## Look up your chance

Find your score on the left and your opponent's at the top. The first number is your chance in percent if you deal next, the second if your opponent does. At 90 to 100, you win {ahead} % if you deal, and {behind} % if your opponent deals.

Only the holes each side still needs matter, so in a game to 61 add 60 to both scores: 20 to 30 is 80 to 90.
"""

HOLDS = """
## What they hold for

- Two strong players, like the level [`expert`](opponents.md), who play to the score: over the last 25 holes the chances come from {deals} of its deals. Against a weaker player you win more often.
- The [`standard`](rules.md) rules, to any target up to 121. Without his heels, the first dealer wins {heelless} % of the games to 121. Other options change little; the computer uses this table for them too.
- A win is a win: skunks and stakes are left out.
- Two players. For two pairs, cribpi has [another table](../explanation/analysis.md#two-pairs).

## Any other pair

Give `chance` your score, your opponent's, whether you deal next, and a `target` if it is not 121. In a checkout, use `.venv/bin/python`.

```console
$ python -c "from cribpi.cribbage.analysis.winning import chance; print(f'{{chance(96, 101, is_dealer=True):.3f}}')"
{asked:.3f}
```

This page is written by `PYTHONPATH=tests python -m support.chances_page`.
"""


def page() -> str:
    """Return the whole page."""
    parts = (
        HEAD.format(
            first=_precise(chance(0, 0, is_dealer=True)),
            first_once=_precise(chance(0, 0, is_dealer=True, target=61)),
        ),
        _waves(),
        LEVEL,
        _level(),
        EVEN,
        _even(),
        READ.format(
            ahead=percent(chance(90, 100, is_dealer=True)),
            behind=percent(chance(90, 100, is_dealer=False)),
        ),
        _both("A game to 121, up to 90", STREETS),
        _both("The last fifty holes, every five", LAST_STREETS),
        _both("The last ten holes, one by one", LAST_HOLES),
        HOLDS.format(
            deals=f"{sum(ROUNDS):,}",
            heelless=_precise(float(solve(average_deal(heels=0))[121, 121])),
            asked=chance(96, 101, is_dealer=True),
        ),
    )
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def percent(chance: float) -> str:
    """Return a *chance* in whole percent. It is never 0 or 100, because the game is not over.

    >>> percent(0.559), percent(0.998), percent(0.002)
    ('56', '>99', '<1')
    """
    whole = round(100 * chance)
    return "<1" if whole == 0 else ">99" if whole == 100 else str(whole)


def _precise(chance: float) -> str:
    return f"{100 * chance:.1f}"


def _both(heading: str, holes: Sequence[int]) -> str:
    """Return a table with the chances when you deal, and when the opponent deals."""
    rows = ((f"**{mine}**", *(_chances(mine, other) for other in holes)) for mine in holes)
    return f"### {heading}\n\n{_table(('', *map(str, holes)), rows)}"


def _chances(mine: int, other: int) -> str:
    return "/".join(percent(chance(mine, other, is_dealer=deals)) for deals in (True, False))


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
    """Return the dealer's chance if both sides are at *hole*, in a game to 121."""
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
