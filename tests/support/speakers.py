"""Programs that stand in for espeak-ng and aplay. They record their calls, hang, or fail."""

from __future__ import annotations

from pathlib import Path

from cribpi.companion.devices.voice import PLAYER, SPEAKER

WELL = 'echo "$@" >> {log}; for word; do true; done; printf "%s" "$word"'
"""Records how it was called, and outputs its last argument, as espeak-ng outputs the sound of it."""
PLAYS = 'echo "$@" >> {log}; cat > {played}.new; cat {played}.new >> {played}; echo >> {played}'
HANGS = "echo $$ >> {pids}; exec sleep 600"
FAILS = 'echo "ALSA lib something" >&2; echo "aplay: main:831: audio open error: {fault}" >&2; exit 1'


class Room:
    """A folder with stand-in programs and their records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log, self.played, self.pids = folder / "log", folder / "played", folder / "pids"
        self.troubles: list[str | None] = []
        for tool in ("cat", "sleep"):
            (folder / tool).symlink_to(f"/bin/{tool}")
        self.has(SPEAKER, WELL)
        self.has(PLAYER, PLAYS)

    def has(self, program: str, does: str) -> None:
        """Write *program* into the folder, as a shell script that does *does*."""
        there = self.folder / f".{program}"
        places = {"log": self.log, "played": self.played, "pids": self.pids}
        there.write_text("#!/bin/sh\n" + does.format(**places) + "\n", encoding="utf-8")
        there.chmod(0o755)
        there.replace(self.folder / program)

    def said(self) -> list[str]:
        return self.played.read_text(encoding="utf-8").splitlines() if self.played.exists() else []

    def report(self, name: str, trouble: str | None) -> None:
        assert name == "voice"
        self.troubles.append(trouble)
