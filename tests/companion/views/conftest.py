"""An option of the tests of pictures: draw them anew, to be looked at before they are committed."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--redraw-golden",
        action="store_true",
        help="write tests/golden/screens and docs/reference/screens.md anew: `pytest tests/companion/views "
        "--redraw-golden`",
    )


@pytest.fixture
def redraw(request: pytest.FixtureRequest) -> bool:
    """Whether pictures are written and not compared; the option is known where this folder is named."""
    return bool(request.config.getoption("--redraw-golden", default=False))
