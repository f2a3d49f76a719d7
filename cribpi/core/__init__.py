"""The rules of cribbage: pure, immutable, and without input or output."""
