"""The computer players: each gets a `SeatSight` and returns cards."""

import cribpi.cribbage.analysis as _analysis  # noqa: F401  configures NumPy, which must come before its import
