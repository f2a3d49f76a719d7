"""The surface of blocks: closed, and around just what is full."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cribpi.workshop.drawings.shapes import Box
from cribpi.workshop.drawings.solid import Block, surface


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    (left, right), (top, bottom), (low, high) = (
        sorted(draw(st.lists(st.integers(0, 5), min_size=2, max_size=2, unique=True))) for _ in range(3)
    )
    return Block(Box(left, top, right, bottom), low, high, draw(st.booleans()))


@given(st.lists(blocks(), min_size=1, max_size=8))
def test_every_edge_has_its_neighbour_and_the_surface_is_around_what_is_full(found: list[Block]) -> None:
    triangles = list(surface(found))
    edges = Counter(edge for three in triangles for edge in pairwise((*three, three[0])))
    assert all(edges[other, one] == count for (one, other), count in edges.items())
    full = {
        cell: block.is_full
        for block in found
        for cell in product(
            range(int(block.area.left), int(block.area.right)),
            range(int(block.area.top), int(block.area.bottom)),
            range(int(block.low), int(block.high)),
        )
    }
    corners = np.array(triangles).reshape(-1, 3, 3)
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert abs(volume - sum(full.values())) < 1e-6


def test_what_lies_below_in_a_drawing_has_the_smaller_y() -> None:
    corners = np.array(list(surface([Block(Box(1, 2, 3, 5), 0, 1)]))).reshape(-1, 3)
    assert corners.min(axis=0).tolist() == [1, -5, 0]
    assert corners.max(axis=0).tolist() == [3, -2, 1]
