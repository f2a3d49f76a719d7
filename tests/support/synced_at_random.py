"""Press random keys while syncs fail at random. After each press, check the files that `kill -9` would leave.

python synced_at_random.py FOLDER SYNCS PRESSES SEED, with the library of `sync_faults` preloaded

Prints the number of presses refused because of a sync, and the number of logs.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from cribpi.companion.journal.journal import JournalTrouble
from support.tables import opened, play_on

PATTERNS = ("x", "x.", ".x", ".x.", "..x", "xx.", ".xx.", "..xx", "...x", ".")
"""Which syncs fail. A press needs one sync, or two if it restarts the log; rolling back needs one more."""


def main(folder: Path, syncs: Path, presses: int, seed: int) -> None:
    """Press keys, and compare."""
    chance, refused, logs = Random(seed), 0, set[bytes]()
    with opened(folder) as (journal, table):
        play_on(table, chance, 20)
        for _ in range(presses):
            if chance.random() < 0.3:
                journal._opened.checkpoint()
            before = table.now.seq
            syncs.write_text(chance.choice(PATTERNS))
            with suppress(JournalTrouble):
                play_on(table, chance, 1)
            syncs.unlink()
            is_refused = journal.trouble is not None
            refused += is_refused
            assert not is_refused or table.now.seq == before
            logs.add((folder / "journal.db-wal").read_bytes()[:32])
            left = folder.with_name("left")
            shutil.copytree(folder, left)
            with opened(left) as (_, other):
                assert other.now == replace(table.now, refusal=None), (other.now.seq, table.now.seq)
            shutil.rmtree(left)
    print(refused, len(logs))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
