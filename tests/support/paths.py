"""Paths that several tests read, in the checkout or next to an installed wheel."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cribpi

TESTS: Final = Path(__file__).resolve().parents[1]
CHECKOUT: Final = TESTS.parent
DATA: Final = TESTS / "data"
GAMES: Final = TESTS / "games"
DOCS: Final = CHECKOUT / "docs"
KITS: Final = CHECKOUT / "hardware" / "kits"
SYSTEMD: Final = CHECKOUT / "systemd"
PACKAGE: Final = Path(cribpi.__file__).parent
"""Folder of the program, whether installed or not."""
