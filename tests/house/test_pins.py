"""Every package that is asked for is pinned, and its floor is the version that `make floors` tests."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from support.paths import CHECKOUT

AGAIN = "run `make constraints`"


def pins(file: str) -> dict[str, Version]:
    lines = (CHECKOUT / file).read_text(encoding="utf-8").splitlines()
    found = [Requirement(line.partition("#")[0]) for line in lines if not line.startswith("#")]
    return {canonicalize_name(one.name): Version(str(one.specifier)[2:]) for one in found}


def asked_for() -> Iterator[Requirement]:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for lines in (project["dependencies"], *project["optional-dependencies"].values()):
        yield from (one for one in map(Requirement, lines) if one.name != "cribpi")


def test_each_package_that_is_asked_for_has_a_pin_that_will_do() -> None:
    pinned = pins("constraints.txt")
    for one in asked_for():
        assert pinned[canonicalize_name(one.name)] in one.specifier, f"{one}: {AGAIN}"


def test_the_floor_of_each_is_the_version_that_is_tested() -> None:
    floors = pins("floors.txt")
    for one in asked_for():
        (allowed,) = one.specifier
        floor, tested = Version(allowed.version).release, floors[canonicalize_name(one.name)].release
        assert tested[: len(floor)] == floor, f"{one}, and {tested} is tested: say so there, or {AGAIN}"
