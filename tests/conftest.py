"""What every test shares: the option that runs the long proofs, and how Hypothesis searches."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# A shared or small machine is slow now and then; that is no failure of what is tested.
settings.register_profile("cribpi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cribpi")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--prove", action="store_true", help="run the long proofs too, whole")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--prove"):
        return
    skip = pytest.mark.skip(reason="a long proof, whole: `make prove` (or --prove) runs it")
    for item in items:
        if "prove" in item.keywords:
            item.add_marker(skip)
