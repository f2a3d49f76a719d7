"""The running program: it wires the parts together, and holds the table, the loop and the players' seats."""
