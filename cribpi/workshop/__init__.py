"""What makes and measures, and never plays."""
