"""Checks of a 3D-printable solid with trimesh: whether it is closed, how thick, and where it is free."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
import trimesh

Points = npt.NDArray[np.float64]


def read(data: bytes) -> Any:  # noqa: ANN401  trimesh's
    return trimesh.load_mesh(io.BytesIO(data), file_type="stl")


def bodies(mesh: Any) -> int:  # noqa: ANN401
    """Return the number of connected pieces."""
    faces = np.arange(len(mesh.faces))
    return len(trimesh.graph.connected_components(mesh.face_adjacency, nodes=faces, engine="networkx"))


def assert_printable(mesh: Any, *, parts: int = 1, bed: float = 210.0) -> None:  # noqa: ANN401
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    assert bodies(mesh) == parts
    assert max(mesh.extents) <= bed
    assert mesh.bounds[0][2] == 0
    for share in (0.03, 0.2, 0.41, 0.77, 0.97):
        assert is_closed_at(mesh, share * mesh.extents[2])


def is_closed_at(mesh: Any, z: float) -> bool:  # noqa: ANN401
    """Return whether a cut at height *z* consists of closed lines, so that each end is another line's end."""
    cut: Any = trimesh.intersections.mesh_plane
    ends = cut(mesh, (0, 0, 1), (0, 0, z)).reshape(-1, 3)[:, :2]
    has_other = np.zeros(len(ends), dtype=bool)
    # Two ends at the same point may be in different cells of one grid, but not of all four.
    for shift in ((0, 0), (0, 0.5), (0.5, 0), (0.5, 0.5)):
        cells = np.floor(ends / 0.01 + shift)
        _, which, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
        has_other |= counts[which.ravel()] > 1
    return len(ends) > 0 and bool(has_other.all())


def hits(mesh: Any, starts: Points, ways: Points) -> Points:  # noqa: ANN401
    """Return the distance from each of *starts* along *ways* to the surface. *ways* have length 1.

    By Moeller and Trumbore.
    """
    a, b, c = (mesh.triangles[:, corner] for corner in range(3))
    found = []
    for start, way in zip(starts, ways, strict=True):
        across = np.cross(way, c - a)
        scale = np.einsum("ij,ij->i", b - a, across)
        is_level = abs(scale) < 1e-12
        scale[is_level] = 1.0
        u = np.einsum("ij,ij->i", start - a, across) / scale
        beside = np.cross(start - a, b - a)
        v = beside @ way / scale
        far = np.einsum("ij,ij->i", c - a, beside) / scale
        is_hit = ~is_level & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 0)
        found.append(far[is_hit].min(initial=np.inf))
    return np.array(found)


def spots(mesh: Any, count: int = 400) -> tuple[Points, Points]:  # noqa: ANN401
    """Return *count* random points on the surface, and the outward direction at each.

    They are reproducible.
    """
    chance = np.random.default_rng(121)
    chosen = chance.choice(len(mesh.faces), count, p=mesh.area_faces / mesh.area)
    shares = chance.dirichlet((1, 1, 1), count)
    return np.einsum("ij,ijk->ik", shares, mesh.triangles[chosen]), mesh.face_normals[chosen]


def is_free(mesh: Any, low: tuple[float, ...], high: tuple[float, ...]) -> bool:  # noqa: ANN401
    """Return whether the box from *low* to *high* has no surface, and its middle is outside the material."""
    near = (mesh.triangles.min(axis=1) < high).all(axis=1) & (mesh.triangles.max(axis=1) > low).all(axis=1)
    middle = (np.array(low) + np.array(high)) / 2
    return not near.any() and not is_inside(mesh, middle)


def is_inside(mesh: Any, point: Points) -> bool:  # noqa: ANN401
    """Return whether *point* is inside the material: the first surface above it faces up."""
    way = np.array([0.0, 0.0, 1.0])
    far = hits(mesh, point[None], way[None])[0]
    if not np.isfinite(far):
        return False
    ahead = point + way * (far + 1e-6)
    near = (mesh.triangles.min(axis=1) <= ahead + 1e-4).all(axis=1)
    near &= (mesh.triangles.max(axis=1) >= ahead - 1e-4).all(axis=1)
    return bool(mesh.face_normals[near][:, 2].max() > 0.5)
