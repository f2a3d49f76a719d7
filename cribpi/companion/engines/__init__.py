"""Third-party programs as players, each in a confined process."""
