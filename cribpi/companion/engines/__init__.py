"""Third-party programs as computer players. Each runs in a confined process."""
