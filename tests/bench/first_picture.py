"""Make a start's first picture ready for the panel, and load no more than a start does.

The bench takes the time of it, in a process of its own.
"""

from __future__ import annotations

import tomllib as tomllib  # noqa: PLC0414  a start on a Pi reads its settings by it

from cribpi.companion.devices.panels import show_first
from cribpi.companion.run.splash import loading_picture

if __name__ == "__main__":
    show_first(len, loading_picture())
