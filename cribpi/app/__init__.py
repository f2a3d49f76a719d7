"""The program: the parts put together, the table, the loop, and who sits at it."""
