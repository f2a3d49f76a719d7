"""Exact values of hands, cribs, cards and scores, and the tables computed from them.

Modules here use NumPy, which is slow to load.  Import them only where a player, hint or command needs them.
"""

import os

# The arrays are so small that OpenBLAS's threads would spend far more time waiting than working.
# OpenBLAS reads this variable once, when NumPy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
