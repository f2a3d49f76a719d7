"""What a hand, a crib, a card and a score are worth: exact enumerations over arrays, and the tables made by
them.

Everything here may use NumPy, and is loaded only when a machine's seat, a hint or a command asks for it.
"""

import os

# Its arrays are small: threads that share them wait for each other far longer than they work.  Before NumPy
# loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
