"""An engine that takes more memory than it can have, by more than one process."""

from __future__ import annotations

import os
import sys
import time


def main() -> None:
    for line in sys.stdin:
        if line.startswith("cei"):
            print("ceiok", flush=True)
        if line.startswith("newgame"):
            for _ in range(4):
                if not os.fork():
                    taken = b"x" * 100_000_000
                    time.sleep(len(taken))
            print("readyok", flush=True)


if __name__ == "__main__":
    main()
