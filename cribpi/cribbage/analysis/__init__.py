"""Exact values of hands, cribs, cards and scores, and the tables made from them.

Everything here may use NumPy.  It is imported only when a computer player, a hint or a command needs it.
"""

import os

# Our arrays are so small that OpenBLAS's threads spend far more time waiting than working.
# It reads this once, when NumPy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
