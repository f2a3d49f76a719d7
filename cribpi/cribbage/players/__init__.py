"""The opponents: each gets a `SeatSight` and answers with cards."""

import cribpi.cribbage.analysis as _analysis  # noqa: F401  it configures NumPy, before that is imported
