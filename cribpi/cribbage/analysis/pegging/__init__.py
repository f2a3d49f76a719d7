"""The play, vectorized over many deals: the choice of a card, and inference of the others' hands."""
