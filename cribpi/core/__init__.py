"""The rules of cribbage: pure, frozen, and without input or output."""
