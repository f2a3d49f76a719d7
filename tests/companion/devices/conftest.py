"""What is no test: a stand-in for a module leaves a pipe where it is imported."""

from __future__ import annotations

collect_ignore = ["stand_in"]
