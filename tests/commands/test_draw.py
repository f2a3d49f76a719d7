"""`cribpi kits draw`, the PDFs that it writes, and the drawings that lie beside the kits."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from support import pages as pages_of_docs
from support import paths, pdf_pages
from support.refusals import is_line_with
from support.samples import some

from cribpi import cli
from cribpi.commands.kits import NO_PDF, NO_STL
from cribpi.companion.kit import KEY_OPENING
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.workshop import drawings
from cribpi.workshop.drawings import (
    PDFS,
    caps,
    case,
    circuit,
    may_write_pdf,
    overlay,
    pages,
    pdf,
    pictures,
    strip,
    template,
    texts,
    tiles,
)
from cribpi.workshop.drawings.export import mark
from cribpi.workshop.drawings.shapes import A4, LETTER, Paper

KITS = kit_names()
KICAD = {"circuit.kicad_pro", "circuit.kicad_sch", "circuit.kicad_sym", "sym-lib-table"}

with_svglib = pytest.mark.skipif(
    not may_write_pdf(), reason="svglib, the extra `draw`, is not installed; make test installs it"
)
with_the_checkout = pytest.mark.skipif(
    not paths.KITS.exists(),
    reason="the drawings lie in a checkout, and are no part of the wheel",
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@with_the_checkout
@pytest.mark.parametrize("name", KITS)
def test_the_drawings_beside_a_kit_are_those_that_it_draws_now(name: str) -> None:
    for file, text in texts(load_kit(name)).items():
        kept = (paths.KITS / name / file).read_text(encoding="utf-8")
        assert kept == text, f"{name}/{file} is out of date; make drawings"


@with_the_checkout
@pytest.mark.parametrize(
    ("name", "numbers"), [("table", range(1, 8)), ("matrix-32x8", range(1, 8)), ("wled", (5,))]
)
def test_the_pictures_of_the_steps_are_those_that_it_draws_now(name: str, numbers: Sequence[int]) -> None:
    drawn = pictures(load_kit(name))
    for file, text in ((f"step-{number}.svg", drawn[f"step-{number}.svg"]) for number in numbers):
        kept = (paths.KITS / name / file).read_text(encoding="utf-8")
        assert kept == text, f"{name}/{file} is out of date; make drawings"


@with_the_checkout
@pytest.mark.parametrize("file", PDFS)
@pytest.mark.parametrize("name", KITS)
def test_the_pdf_beside_a_kit_has_the_pages_that_it_draws_now(name: str, file: str) -> None:
    sheets = pages(load_kit(name), PDFS[file])
    data = (paths.KITS / name / file).read_bytes()
    assert pdf_pages.keywords(data) == mark(sheets), f"{name}/{file} is out of date; make drawings"
    for size, sheet in zip(pdf_pages.sizes(data), sheets, strict=True):
        assert size == pytest.approx((sheet.width, sheet.height), abs=0.01)


@with_the_checkout
@pytest.mark.parametrize("name", KITS)
def test_a_kit_with_its_drawings_is_small(name: str) -> None:
    files = [path for path in (paths.KITS / name).iterdir() if path.suffix != ".stl"]
    sizes = {path.name: path.stat().st_size for path in files}
    of_steps = {name for name in sizes if name.startswith("step-")}
    of_kicad = {name for name in sizes if name in KICAD}
    assert sizes.pop("parts.svg") < 50_000
    assert sum(sizes[name] for name in of_steps) < 250_000
    assert sum(sizes[name] for name in of_kicad) < 100_000
    assert sum(sizes[name] for name in sizes.keys() - of_steps - of_kicad) < 450_000


@with_svglib
def test_a_pdf_is_the_same_each_time() -> None:
    assert pdf(load_kit("travel-61")) == pdf(load_kit("travel-61"))


@with_svglib
@pytest.mark.parametrize(
    ("name", "paper"), some([("table", LETTER), ("numpad", LETTER), *((name, A4) for name in KITS)], 0, 2, -1)
)
def test_every_page_is_of_its_paper_and_there_a_millimetre_is_a_millimetre(name: str, paper: Paper) -> None:
    """One test, as drawing takes nearly all of its time."""
    kit = load_kit(name)
    data = pdf(kit, paper)
    sizes, contents = pdf_pages.sizes(data), pdf_pages.contents(data)
    for size in sizes:
        assert sorted(size) == pytest.approx(sorted(paper[1:]), abs=0.01)
    assert len(sizes) == len(pages(kit, paper)) == len(contents)
    found = tiles.tiling(kit, paper)
    across = strip.drill(kit) + 1.2  # from end to end of the cross in a hole
    for tile, content in zip(found.tiles, contents[-len(found.tiles) :], strict=True):
        lines = list(pdf_pages.lines(content))
        assert any(pdf_pages.length(line) == pytest.approx(template.BAR, abs=0.001) for line in lines)
        crosses = [
            ((a[0] + b[0]) / 2, found.height - a[1])
            for a, b in lines
            if abs(a[1] - b[1]) < 0.001 and abs(pdf_pages.length((a, b)) - across) < 0.001
        ]
        left, top, right, bottom = tile.window
        for place in strip.along(kit):
            if left < place.x < right and top < place.y < bottom:
                # A tile's window lies 12 mm from the paper's left and upper edge.
                on_paper = place.x - left + 12, place.y - top + 12
                assert any(math.dist(on_paper, centre) < 0.01 for centre in crosses), place


def test_the_command_writes_the_drawings_into_a_folder_of_the_kits_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(["kits", "draw", "strip-121"]) == 0
    said = capsys.readouterr().out.splitlines()
    files = {"wiring.svg", "template.svg", "keypad.svg", "parts.md", "parts.svg", "plate.dxf", *KICAD} | (
        set(PDFS) if may_write_pdf() else set()
    )
    files |= {f"step-{number}.svg" for number in range(1, 8)}
    files |= {f"plate-{name}.stl" for name in ("A1", "A2", "B1", "B2")} | {"keys.dxf", "keys.stl", "caps.stl"}
    files |= {f"box-{name}.stl" for name in ("A1", "A2", "B1", "B2", "drawer")}
    assert {path.name for path in (tmp_path / "strip-121").iterdir()} == files
    assert {Path(line).name for line in said if line != NO_PDF} == files


def test_the_command_draws_a_kit_of_ones_own_into_the_folder_that_it_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "may_write_pdf", lambda: False)  # which takes a second
    text = (paths.KITS if paths.KITS.exists() else Path(cli.__file__).parent / "kits") / "table" / "kit.toml"
    mine = tmp_path / "oak.toml"
    mine.write_text(text.read_text(encoding="utf-8").replace("width = 340", "width = 350"), encoding="utf-8")
    assert cli.main(["kits", "draw", str(mine), "--to", "a/b", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert str(Path("a/b/wiring.svg")) in told["files"]
    assert "Wiring of the kit oak" in (tmp_path / "a/b/wiring.svg").read_text(encoding="utf-8")
    assert "350 x 282 mm" in (tmp_path / "a/b/parts.md").read_text(encoding="utf-8")


def test_without_the_library_the_rest_is_written_and_one_sentence_tells_how_to_get_pdfs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "may_write_pdf", lambda: False)
    assert cli.main(["kits", "draw", "strip-121", "--to", "here"]) == 0
    note = capsys.readouterr().out.splitlines()[-1]
    assert is_line_with(note, "no PDF", "svglib", ".venv/bin/python -m pip install -e '.[draw]'")
    assert not {path.name for path in (tmp_path / "here").iterdir()} & set(PDFS)
    assert cli.main(["kits", "draw", "strip-121", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["note"] == NO_PDF


def test_openings_that_no_printer_could_keep_apart_are_drawn_and_not_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "may_write_pdf", lambda: False)  # which takes a second
    folder = paths.KITS if paths.KITS.exists() else Path(cli.__file__).parent / "kits"
    text = (folder / "strip-121" / "kit.toml").read_text(encoding="utf-8")
    near = text.replace("from = [35, 28], to = [325, 28]", "from = [35, 28], to = [125, 28]")
    (tmp_path / "near.toml").write_text(near, encoding="utf-8")
    assert cli.main(["kits", "draw", "./near.toml", "--to", "here", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["note"] == f"{NO_STL}; {NO_PDF}"
    assert not [file for file in told["files"] if Path(file).name.startswith("plate-")]
    assert str(Path("here/plate.dxf")) in told["files"]


def test_the_command_says_in_one_line_what_is_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(["kits", "draw", "nope"]) == 2
    assert capsys.readouterr().err.startswith('cribpi kits: no kit is called "nope"; choose one of ')
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert cli.main(["kits", "draw", "travel-61", "--to", "file"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"cribpi kits: {Path('file/wiring.svg')}: ")
    assert "choose a folder that you can write to with --to" in said


def test_the_reference_names_each_file_and_the_measures_that_are_drawn() -> None:
    text = pages_of_docs.read(pages_of_docs.DOCS / "reference" / "drawings.md")
    named = {
        name.strip("`")
        for row in pages_of_docs.rows(text)
        for name in row[0].split(", ")
        if name.endswith((".pdf`", ".svg`", ".md`", ".dxf`", "sym-lib-table`")) or "kicad" in name
        if " " not in name
    }
    assert named == {*texts(load_kit("strip-121")), *PDFS}
    assert f"Neighbours overlap by {tiles.OVERLAP:g} mm" in text
    assert f"the {template.BAR:g} mm bar" in text
    assert f"{strip.FIXING:g} mm holes" in text
    assert f"are {KEY_OPENING + 2 * strip.RELIEF:g} mm wide" in text
    assert f"is {caps.CROSS[0]:g} x {caps.CROSS[1]:g} mm" in text
    assert f"{caps.CUT:g} mm deep, in {caps.STROKE:g} mm strokes" in text
    assert f"Labels are {overlay.LABEL:g} mm wide and {overlay.KEY:g} mm apart" in text
    far = circuit.FARTHEST
    assert f"more than {far} LEDs is also fed at its end, and one of more than {2 * far} in between" in text
    assert f"A {case.HIGH:g} mm box for a printer" in text
    assert f"with {case.ROOM:g} mm below the plate" in text
    assert f"with {case.DECK[0]:g} x {case.DECK[1]:g} x {case.DECK[2]:g} mm for a deck" in text
    assert f"Walls and floor are {case.WALL:g} mm thick. Tiles are at most {case.BED:g} mm long" in text
    assert all(f"hardware/kits/{name}/parts.md" in text for name in KITS)
