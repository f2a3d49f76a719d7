"""`python -m cribpi` is the command `cribpi`."""

import sys


def main() -> int:
    """Run the command; a companion first shows that it starts, and ends well if told to while it loads."""
    if sys.argv[1:2] == ["run"]:
        from cribpi.companion.run.signals import Ending  # noqa: PLC0415  nothing else needs signals

        Ending().take()  # for good: the program is over when this is

        from cribpi.companion.run import splash  # noqa: PLC0415  as above

        splash.begin(sys.argv[2:])

    from cribpi.cli import main as command  # noqa: PLC0415  after that

    return command()


if __name__ == "__main__":
    sys.exit(main())
