"""`python -m cribpi` is the command `cribpi`."""

import sys

from cribpi.cli import main

sys.exit(main())
