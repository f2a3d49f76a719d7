"""The opponents that play a machine's seat: each is given a `SeatSight` and answers with cards."""

import cribpi.analysis as _analysis  # noqa: F401  it configures NumPy, before that is imported
