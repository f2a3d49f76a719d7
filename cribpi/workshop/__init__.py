"""Tools for development: contests between levels, the shipped tables, and drawings of kits."""
