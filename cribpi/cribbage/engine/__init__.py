"""The cribbage engine interface: its lines, and a level that answers them; no process, no clock."""
