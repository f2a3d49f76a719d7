"""Programs of other people as players, each in a confined process."""
