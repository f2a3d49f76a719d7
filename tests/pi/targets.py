"""What an engine is to attack, as the user of the service: `targets.py PORT NAME`, sockets of each kind."""

from __future__ import annotations

import socket
import sys
import time


def main() -> None:
    port, name = sys.argv[1:]
    with (
        socket.create_server(("127.0.0.1", int(port))),
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
    ):
        abstract.bind(f"\0{name}")
        abstract.listen()
        datagrams.bind(f"\0{name}.datagrams")
        time.sleep(1e6)


if __name__ == "__main__":
    main()
