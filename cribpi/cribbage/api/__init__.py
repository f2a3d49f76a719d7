"""What `import cribpi` offers, as docs/reference/library.md shows it.

Its names are a contract.  The rooms below have the rules, the advice and the review; here is only how they
are asked: with cards as text or as values, and rules by name.
"""
