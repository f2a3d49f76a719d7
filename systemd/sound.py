"""Installation of the voice: two packages, and the service's access to sound devices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from debian import install, missing
from steps import SOUND_FILES, Failed, Left, Step, optional

PACKAGES: Final = ("espeak-ng", "alsa-utils")


def packages() -> Step:
    """Return the step that installs the voice's packages. A failure affects only the voice."""

    def do() -> None:
        try:
            install(PACKAGES)
        except Failed as why:
            raise Left(f"the voice: {why}") from None

    return Step(f"system packages: {' '.join(PACKAGES)}", lambda: not missing(PACKAGES), do)


def files(root: Path, after: Callable[[], None], *, is_wanted: bool) -> list[Step]:
    """Return the steps that install or remove the voice's files below *root*, and then call *after*."""
    return optional(SOUND_FILES, root, after, "the voice is off", is_wanted=is_wanted)
