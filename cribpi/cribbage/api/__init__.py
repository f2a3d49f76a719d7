"""The public API of `import cribpi`, documented in docs/reference/library.md.

Its names are a contract.  It only converts arguments, such as cards as text and rules by name: the rules, the
advice and the review are in other packages.
"""
