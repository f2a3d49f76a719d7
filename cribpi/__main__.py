"""`python -m cribpi` is the command `cribpi`."""

import sys


def main() -> int:
    """Run the command; a companion that is told to end while all else is being loaded ends well."""
    if sys.argv[1:2] == ["run"]:
        from cribpi.app.ending import Ending  # noqa: PLC0415  nothing else needs signals

        Ending().take()  # for good: the program is over when this is

    from cribpi.cli import main as command  # noqa: PLC0415  after that

    return command()


if __name__ == "__main__":
    sys.exit(main())
