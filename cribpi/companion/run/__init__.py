"""Settings, and all parts put together."""
