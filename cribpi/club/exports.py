"""PDF, CSV and JSON files of nights and seasons."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any, Final

from cribpi.club.entries import ClubEntry, to_json
from cribpi.club.night import Night, Report
from cribpi.club.pairings import at_tables, pairings
from cribpi.club.roster import AWARDS, COLUMNS, Book, defused
from cribpi.club.season import Season, title
from cribpi.club.standings import ACC, GRASS_ROOTS, CardLine, Result, Standing, refuse
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.shown import amount

FORMAT: Final = 1
"""Version of the JSON."""

_STANDING: Final = "rank player games game_points wins spread qualifies".split()
_RESULT: Final = "round board winner loser score game_points spread forfeit by reports".split()
_REPORT: Final = "player number kind nights game_points won lost spread grass_roots".split()
"""Columns of the standings, the results, and the statistician's report."""


def standings_csv(night: Night) -> bytes:
    rows = ({**_standing(one, night.name_of(one.player)), **_has_left(night, one)} for one in night.standings)
    return _csv([*_STANDING, "has_left"], rows)


def _has_left(night: Night, one: Standing) -> dict[str, bool]:
    return {"has_left": one.player in night.departed}


def _marked(night: Night, one: Standing) -> str:
    name = night.name_of(one.player)
    return f"{name} (left)" if one.player in night.departed else name


def results_csv(night: Night) -> bytes:
    """Return the results as CSV, with who reported each."""
    rows = [_result(night, one) for one in night.results]
    counts = [{"by": row["reports"][-1]["by"], "reports": len(row["reports"])} for row in rows]
    return _csv(_RESULT, ({**row, **count} for row, count in zip(rows, counts, strict=True)))


def book_csv(book: Book) -> bytes:
    return _csv(COLUMNS, map(asdict, book.by_name))


def _csv(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Return a CSV file. It starts with a byte order mark, so that spreadsheets detect UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_heads(names))
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _heads(names: Iterable[str]) -> list[str]:
    return [{"score": "loser's score"}.get(name, name.replace("_", " ")) for name in names]


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return defused(value) if isinstance(value, str) else value


def night_json(name: str, night: Night, log: Iterable[tuple[str, ClubEntry]]) -> dict[str, Any]:
    """Return the night's state and complete log, including results that were corrected."""
    return {
        "format": FORMAT,
        "night": name,
        "rules": ACC.name,
        "games": night.games,
        "round": night.round,
        "is_over": night.is_over,
        "players": [night.name_of(one) for one in night.seated or night.players],
        "standings": [
            _standing(one, night.name_of(one.player))
            | _has_left(night, one)
            | {"card": [asdict(line) | {"opponent": night.name_of(line.opponent)} for line in one.card]}
            for one in night.standings
        ],
        "results": [_result(night, one) for one in night.results],
        "log": [{"at": at, **to_json(entry)} for at, entry in log],
    }


def _report(night: Night, one: Report) -> dict[str, Any]:
    winner, score = (night.name_of(one.result.winner), one.result.score) if one.result else (None, None)
    return {"by": one.by, "score": score, "winner": winner}


def _standing(one: Standing, name: str) -> dict[str, Any]:
    return {part: getattr(one, part) for part in _STANDING} | {"player": name}


def _result(night: Night, one: Result) -> dict[str, Any]:
    names = {"winner": night.name_of(one.winner), "loser": night.name_of(one.loser)}
    reports = [_report(night, report) for report in night.reports[one.round, one.board]]
    brings = {"game_points": one.game_points(), "spread": one.spread(), "reports": reports}
    return {**asdict(one), **names, **brings}


# --- a season ---


def season_csv(season: Season) -> bytes:
    rows = season.rows
    return _csv(list(rows[0]) if rows else ["player"], rows)


def season_report(season: Season) -> bytes:
    """Return the season as plain text for the club's statistician, one line per player.

    The layout is an example.
    """
    lines = [_heads(_REPORT), *([str(row[name]) for name in _REPORT] for row in season.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    found = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
    return "\n".join([f"Season {title(season.first)}{_example(season)}", "", *found, ""]).encode()


def _example(season: Season) -> str:
    """Return a note if the Grass Roots points come from cribpi's example table, otherwise ""."""
    return "; Grass Roots points by an example table, not the ACC's" if season.book.awards == AWARDS else ""


def season_json(season: Season) -> bytes:
    nights = [
        {
            "night": one.display_name,
            "day": str(one.day),
            "cards": [_standing(card, season.book.who(name).name) for name, card in one.cards],
        }
        for one in season.nights
    ]
    found = {"format": FORMAT, "season": title(season.first), "awards": season.book.awards}
    more = {"best": season.book.best, "nights": nights, "players": season.rows}
    return json.dumps({**found, **more}).encode()


# --- PDF -----------------------------------------------------------------------------------------------

_FONT, _BOLD = "Vera", "VeraBd"
"""Bitstream Vera, which comes with reportlab. It covers Western and Central European letters."""

_DEJAVU: Final = Path("/usr/share/fonts/truetype/dejavu")
"""Folder of the DejaVu fonts, if installed. They look like Vera and add Greek, Cyrillic and more."""

LACKS: Final = "\N{LOZENGE}"
SAYS_SO: Final = (
    f"{LACKS} is a letter that this PDF can't show. Print the page from a browser, which shows all."
)


def _is_simple(letter: str) -> bool:
    """Return whether *letter* needs no text shaping: it is left-to-right, and not a combining mark."""
    return unicodedata.bidirectional(letter) not in {"R", "AL"} and unicodedata.category(letter)[0] != "M"


def season_pdf(season: Season) -> bytes:
    rows = season.rows
    names = [name for name in list(rows[0] if rows else ())[3:] if name != "high_won"]  # the totals
    cells = [
        [str(rank), row["player"], *(str(row[name]) for name in names)]
        for rank, row in enumerate(({**row, "high": f"{row['high']}/{row['high_won']}"} for row in rows), 1)
    ]
    heads = (head.split() for head in _heads(names))  # narrow columns: one word per line
    widths = {"\n".join(words): 5 + 5 * max(map(len, words)) for words in heads}
    columns = {"": 20, "player": 108, **widths}
    best = f"best: game points of the best {season.book.best}"
    note = f"After {amount(len(season.nights), 'night')}; {best}{_example(season)}"
    return _pdf(f"Season {title(season.first)}", [(note, columns, cells, 0)])


def standings_pdf(name: str, night: Night) -> bytes:
    columns = {"Rank": 40, "Player": 260, "Games": 50, "Card": 60, "Spread": 60}
    rows = [
        [str(one.rank), _marked(night, one), str(one.games), one.as_read, f"{one.spread:+d}"]
        for one in night.standings
    ]
    last = sum(one.game_points >= GRASS_ROOTS for one in night.standings)
    after = f"After {amount(night.games, 'game')}" if night.is_over else night.stands
    return _pdf(f"Standings: {name}", [(after, columns, rows, last)])


def cards_pdf(name: str, night: Night) -> bytes:
    """Return a scorecard for each player, laid out like a printed one."""
    columns = {"Game": 40, "Opponent": 210, "Game points": 90, "+": 60, "-": 60}
    tables: list[_Table] = []
    for one in night.standings:
        title = f"{_marked(night, one)}: {one.as_read}, spread {one.spread:+d}"
        total = ["", "Total", str(one.game_points), str(one.plus), str(one.minus)]
        tables.append((title, columns, [*(card_row(night, line) for line in one.card), total], 0))
    return _pdf(f"Scorecards: {name}", tables)


def chart_pdf(name: str, night: Night) -> bytes:
    """Return the forms for a night without computers: the pairings of all rounds, and blank scorecards.

    Raises:
        RuleError: If the pairings are not drawn, or reportlab is not installed.
    """
    refuse(not night.drawn, "draw the pairings first")
    columns = {"Board": 40, "Players": 165, "": 165, "Winner, loser's score": 150}
    tables: list[_Table] = []
    cards: dict[str, list[list[str]]] = {player: [] for player in night.drawn}
    for number, drawn in enumerate(pairings(night.drawn, night.games), 1):
        one = at_tables(drawn, night.fixed)
        rows = [[str(table.board), *map(night.name_of, table.players), ""] for table in one.tables]
        rows += [["", night.name_of(player), "sits out", ""] for player in one.sits_out]
        tables.append((f"Round {number}", columns, rows, 0))
        for table in one.tables:
            for player, opponent in (table.players, table.players[::-1]):
                cards[player].append([f"{number}, board {table.board}", night.name_of(opponent), *[""] * 4])
    columns = {"Game": 80, "Opponent": 180, "Game points": 75, "+": 45, "-": 45, "Opponent signs": 95}
    total = ["", "Total", *[""] * 4]
    tables += [(night.name_of(player), columns, [*lines, total], 0) for player, lines in cards.items()]
    return _pdf(f"On paper: {name}", tables)


def card_row(night: Night, line: CardLine) -> list[str]:
    """Return the cells of a scorecard line: round, opponent, game points, then a plus or a minus spread."""
    won, lost = (str(line.spread), "") if line.game_points else ("", str(-line.spread))
    return [str(line.round), night.name_of(line.opponent), str(line.game_points), won, lost]


_Table = tuple[str, dict[str, int], list[list[str]], int]
"""Title, column widths in points by heading, rows, and the row below which a rule is drawn (0 for none)."""


def _pdf(title: str, tables: Iterable[_Table]) -> bytes:
    """Return a PDF of *tables*. Its pages fit both A4 and Letter paper.

    Raises:
        RuleError: If reportlab is not installed.
    """
    try:
        from reportlab import platypus  # noqa: PLC0415  the extra `club`
        from reportlab.lib import colors, pagesizes, styles  # noqa: PLC0415  the extra `club`
        from reportlab.pdfbase import pdfmetrics, ttfonts  # noqa: PLC0415  the extra `club`
    except ImportError:
        raise RuleError("PDF needs reportlab: install cribpi's club extra") from None
    known: set[int] = set()
    for font, wider in ((_BOLD, "DejaVuSans-Bold.ttf"), (_FONT, "DejaVuSans.ttf")):
        file = _DEJAVU / wider
        made = ttfonts.TTFont(font, str(file) if file.exists() else f"{font}.ttf")
        pdfmetrics.registerFont(made)
        known = {*made.face.charToGlyph} if not known else known & {*made.face.charToGlyph}

    def printed(text: str) -> str:
        """Return *text* with unprintable letters replaced by `LACKS`."""
        return "".join(one if ord(one) in known and _is_simple(one) else LACKS for one in text)

    lacks = False
    big, small = (
        styles.ParagraphStyle(name, fontName=_BOLD, fontSize=size, leading=size * 1.4, spaceAfter=6)
        for name, size in (("big", 18), ("small", 11))
    )
    parts: list[Any] = [platypus.Paragraph(escape(printed(title), quote=False), big)]
    for head, columns, rows, line_after in tables:
        size, widths = 10 if len(columns) < 10 else 8, list(columns.values())
        narrow = [at for at, width in enumerate(widths) if at > 1 and width < 100]
        style: list[tuple[Any, ...]] = [
            ("FONT", (0, 0), (-1, 0), _BOLD, size - 1),
            ("FONT", (0, 1), (-1, -1), _FONT, size),
            ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
            ("LINEBELOW", (0, 1), (-1, -1), 0.25, colors.grey),
            *(("ALIGN", (at, 0), (at, -1), "RIGHT") for at in narrow),
            ("LEFTPADDING", (0, 0), (-1, -1), 3),
            ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ]
        if line_after:
            style.append(("LINEBELOW", (0, line_after), (-1, line_after), 1.5, colors.black))
        plain = styles.ParagraphStyle("plain", fontName=_FONT, fontSize=size, leading=size * 1.2)
        shown = [[printed(cell) for cell in row] for row in rows]
        lacks |= any(LACKS in cell for row in shown for cell in (*row, printed(head)))
        cells = [
            [*columns],
            *(
                [platypus.Paragraph(escape(one), plain) if len(one) > 12 else one for one in row]
                for row in shown
            ),
        ]
        table = platypus.Table(cells, colWidths=widths, style=style, hAlign="LEFT", repeatRows=1)
        heading = platypus.Paragraph(escape(printed(head), quote=False), small)
        parts.append(platypus.KeepTogether([heading, table, platypus.Spacer(0, 14)]))
    if lacks or LACKS in printed(title):
        parts.insert(1, platypus.Paragraph(SAYS_SO, small))
    out = io.BytesIO()
    page = pagesizes.A4[0], pagesizes.LETTER[1]  # the smaller width and height: prints at full size on either
    margins = {"topMargin": 50, "leftMargin": 36, "rightMargin": 36}
    document = platypus.SimpleDocTemplate(
        out, pagesize=page, title=title, author="cribpi", invariant=1, **margins
    )
    document.build(parts)
    return out.getvalue()


OF_NIGHT: Final[Mapping[str, Callable[[str, Night], bytes]]] = {
    "standings.csv": lambda _, night: standings_csv(night),
    "results.csv": lambda _, night: results_csv(night),
    "standings.pdf": standings_pdf,
    "cards.pdf": cards_pdf,
    "chart.pdf": chart_pdf,
}
"""Functions that write a night's CSV and PDF files, by file name. Each takes the night's name and state."""

OF_SEASON: Final[Mapping[str, Callable[[Season], bytes]]] = {
    "season.csv": season_csv,
    "season.json": season_json,
    "season.pdf": season_pdf,
    "report.txt": season_report,
}
