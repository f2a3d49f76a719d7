"""cribpi for other people's programs: what `import cribpi` offers, which docs/reference/library.md shows.

Its names are a contract.  The rooms below have the rules, the advice and the review; here is only how they
are asked: with cards as text or as values, and rules by name.
"""
