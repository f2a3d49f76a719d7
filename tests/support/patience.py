"""How long a test waits for what must come."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 300.0
"""Seconds.  A wait ends when what it waits for has come, and this is when it is given up: no machine is so
slow or so busy, so that what is red then never came."""
