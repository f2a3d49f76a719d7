"""Press random keys at a table until killed. Print the number of each accepted press once it is answered.

python killed.py FOLDER SEED [SEQ]

With SEQ, all syncs fail once that many presses are accepted. Each later press is refused, and its id printed.
If another program has damaged the files, that is printed, and the press is repeated.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from cribpi.companion.journal.journal import JournalTrouble
from support.refused_syncs import refuse_syncs
from support.tables import opened, play_on

RENEWED = "the journal is a new one"


def main(folder: str, seed: str, fails_at: str = "") -> None:
    """Press keys forever. The first line printed says that the table is open."""
    with opened(Path(folder)) as (journal, table):
        chance = Random(int(seed))
        print("open", flush=True)
        seq, name, is_syncing = 0, "", True
        for press in count():
            if fails_at and seq == int(fails_at):
                fails_at, is_syncing = "", False
                refuse_syncs()
            before, notice = chance.getstate(), journal.notice
            with suppress(JournalTrouble):  # a computer's seat gets the error too
                play_on(table, chance, 1, name := f"press-{press}")
            if journal.notice != notice:
                print(RENEWED, flush=True)
                chance.setstate(before)
            elif journal.trouble is not None and is_syncing:  # the files were damaged just before the write
                chance.setstate(before)
            elif journal.trouble is not None:
                print(name, flush=True)
            if table.now.seq > seq:
                seq = table.now.seq
                print(seq, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
