"""What a check says, and a finding of the doctor: one line, and the command that fixes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class Problem(NamedTuple):
    """What is wrong, and the *remedy*, preferably a command."""

    says: str
    remedy: str


Verdict: TypeAlias = str | Problem
"""What a check returns: a sentence, or what is ill."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about *name*, and if it is not well the *remedy*."""

    name: str
    is_well: bool
    says: str
    remedy: str = ""


def finding(name: str, verdict: Verdict) -> Finding:
    if isinstance(verdict, Problem):
        return Finding(name, is_well=False, says=verdict.says, remedy=verdict.remedy)
    return Finding(name, is_well=True, says=verdict)
