"""Press random keys at a table until killed, and print the number of each accepted press once it is answered.

python killed.py FOLDER SEED
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.tables import opened, play_on


def main(folder: str, seed: str) -> None:
    """Press on and on; the first line tells that the table is open."""
    with opened(Path(folder)) as (_, table):
        chance = Random(int(seed))
        print("open", flush=True)
        seq = 0
        while True:
            play_on(table, chance, 1)
            if table.now.seq > seq:
                seq = table.now.seq
                print(seq, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
