"""The running program: settings, and all parts put together."""
