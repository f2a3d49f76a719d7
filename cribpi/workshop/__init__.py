"""What makes and measures, and never plays: contests, tables, drawings of kits."""
