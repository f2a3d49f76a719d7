"""Bad kits: each is refused with its file, the key, the value and the remedy, in one sentence."""

from __future__ import annotations

import re
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.paths import DATA, KITS

from cribpi.companion.files.config_table import Section
from cribpi.companion.kit import SIDES, KitError
from cribpi.companion.kit.reader import _read_kit, kit_names, load_kit

REFUSALS = DATA / "kit_refusals.toml"


@pytest.mark.parametrize("bad", tomllib.loads(REFUSALS.read_text(encoding="utf-8"))["refusals"])
def test_an_unfit_kit_is_refused_with_file_key_value_and_remedy(bad: dict[str, str], tmp_path: Path) -> None:
    text = (KITS / bad["kit"] / "kit.toml").read_text(encoding="utf-8")
    assert bad["old"] in text
    path = tmp_path / "kit.toml"
    path.write_text(text.replace(bad["old"], bad["new"], 1), encoding="utf-8")
    with pytest.raises(KitError) as caught:
        load_kit(str(path))
    assert str(caught.value) == f"{path}: {bad['says']}"


def test_no_key_is_on_the_pins_of_a_strip_on_spi() -> None:
    """The kernel's driver takes five, by the overlay's spi0_pins and spi0_cs_pins: 7 and 8 select a chip."""
    table = tomllib.loads((KITS / "table" / "kit.toml").read_text(encoding="utf-8"))
    refused = set[int]()
    for gpio in range(2, 28):
        with_a_row = deepcopy(table)
        with_a_row["keys"]["rows"][-1] = gpio
        try:
            _read_kit("table", Section("kit.toml", "", with_a_row, KitError))
        except KitError as why:
            if "the strip's" in str(why):
                refused.add(gpio)
    assert refused == {7, 8, 9, 10, 11}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"title = ", "this is not TOML: Invalid value"),
        (b'title = "\xff"', "byte 9 is not UTF-8; save the file as UTF-8 text"),
        (b"", "title is missing"),
    ],
)
def test_a_file_that_is_no_toml_is_refused(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "kit.toml"
    path.write_bytes(content)
    with pytest.raises(KitError, match=re.escape(f"{path}: {sentence}")):
        load_kit(str(path))


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KitError, match=r"none\.toml: it cannot be read \(No such file"):
        load_kit(str(tmp_path / "none.toml"))


@pytest.mark.parametrize("name", ["tabel", "", ".", "Table"])
def test_an_unknown_name_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(
        KitError, match=f'no kit is called "{name}"; choose one of {", ".join(kit_names())}, or give the path'
    ):
        load_kit(name)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:  # noqa: ANN401  TOML is anything
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [path, *(leaf for key, item in items for leaf in leaves(item, (*path, key)))]
    return [path]


GIVEN = [
    tomllib.loads((KITS / name / "kit.toml").read_text(encoding="utf-8"))
    for name in ("table-games", "numpad", "bonnet", "travel-61", "matrix-32x8")
]
SPOTS = [(table, path) for table in GIVEN for path in leaves(table)[1:]]
JUNK = st.one_of(
    st.integers(), st.booleans(), st.floats(), st.text(max_size=3), st.just([]), st.just({}), st.just([[]]),
    st.lists(st.integers(-3, 300), max_size=3), st.lists(st.floats(0, 400), min_size=2, max_size=2),
)  # fmt: skip


@given(st.sampled_from(SPOTS), JUNK)
def test_whatever_stands_at_a_key_it_is_a_kit_or_refused(
    spot: tuple[dict[str, Any], tuple[str | int, ...]], junk: object
) -> None:
    table, path = deepcopy(spot[0]), spot[1]
    parent: Any = table
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = junk
    try:
        kit = _read_kit("fuzz", Section("kit.toml", "", table, KitError))
    except KitError as error:
        assert str(error).startswith("kit.toml: ")  # noqa: PT017  either outcome is right
    else:
        assert all(kit.led(side, hole) is not None for side in SIDES for hole in range(1, 122))
