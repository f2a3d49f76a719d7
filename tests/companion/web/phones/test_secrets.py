"""The attacker's law: whatever people do, no screen is told of a card that nobody in front of it may know."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.attack import attacked
from support.samples import some_of


@pytest.mark.parametrize("seed", some_of(range(40), 0))
def test_nobody_is_told_of_a_card_that_is_hidden_from_him(seed: int, tmp_path: Path) -> None:
    with attacked(tmp_path, seed) as table:
        table.attack()
        assert table.leaks == []
        assert table.troubles == {}
        assert table.shown >= 2, "each of two attacks has shown one hand"
        assert table.looked > 20
