"""Third-party programs as computer players, each in a confined process."""
