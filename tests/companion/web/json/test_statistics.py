"""Averages for programs and for people."""

from __future__ import annotations

from typing import Any

import pytest

from cribpi.companion.web.json.results import player_json, players_json
from cribpi.cribbage.game.ledger import Gains
from cribpi.cribbage.results.statistics import InRole, Statistics


def test_a_program_gets_hundredths_and_tenths_add_up_as_they_are_shown() -> None:
    ann = Statistics("Ann", games=1, dealer=InRole(7, Gains(pegging=15, hands=36, cribs=15)))
    told: Any = player_json(ann, ["Ann"])["dealer"]
    assert [told[what] for what in ("all", "pegging", "hands", "cribs")] == [9.43, 2.14, 5.14, 2.14]
    tenths = [told["tenths"][what] for what in ("all", "pegging", "hands", "cribs", "other")]
    assert tenths[0] == pytest.approx(sum(tenths[1:])) == 9.4
    assert tenths[1:] == [2.2, 5.1, 2.1, 0.0], "those that lose most go up, the first of them first"
    rows = players_json({"Ann": ann})["players"]
    assert isinstance(rows, list)
    assert [(row["dealer"], row["tenths"]) for row in rows] == [(9.43, {"dealer": 9.4, "pone": None})]
