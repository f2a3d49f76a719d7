"""The board's layout, and the SVG that shows it."""
