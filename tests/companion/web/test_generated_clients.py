"""Clients that public generators make from the OpenAPI document play a deal, as a stranger's program would."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from companion.web.real_table import RealTable, real_table
from support.clients import client_of
from support.patience import PATIENCE

from cribpi.companion.web.openapi import OPERATIONS

TSC = Path(os.environ.get("CRIBPI_TSC", "not given"))
OPENAPI_TYPESCRIPT = TSC.parent.parent.parent / "openapi-typescript" / "bin" / "cli.js"
PLAYER = Path(__file__).parent / "types" / "deal.ts"
SETTINGS = {
    "compilerOptions": {
        "strict": True,
        "target": "ES2022",
        "module": "ESNext",
        "moduleResolution": "bundler",
        "skipLibCheck": True,
        "types": [],
    },
    "files": [PLAYER.name],
}
MOST_PRESSES = 80
"""More than a deal by cards takes."""

needs_generator = pytest.mark.skipif(
    not OPENAPI_TYPESCRIPT.exists() or shutil.which("node") is None,
    reason="there is no openapi-typescript: `make check` installs it, where there is npm",
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    with real_table(tmp_path / "state") as table:
        yield table


@pytest.fixture
def document(table: RealTable, tmp_path: Path) -> Path:
    with client_of(table.url) as client:
        path = tmp_path / "openapi.json"
        path.write_text(client.get("/api/openapi.json").text, encoding="utf-8")
    return path


def ran(*command: object, folder: Path) -> str:
    """Return what *command* prints, once it has succeeded."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def python_client(document: Path) -> str:
    """Make a package from *document* beside it, and return its name."""
    package, settings = document.with_name("generated_client"), document.with_name("settings.yaml")
    settings.write_text("post_hooks: []\n", encoding="utf-8")
    ran(
        *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"),
        *("--path", document, "--output-path", package, "--config", settings),
        folder=document.parent,
    )
    return package.name


def test_a_client_in_python_has_all_operations_and_plays_a_deal(
    table: RealTable, document: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = python_client(document)
    made = {path.stem for path in (document.parent / name / "api" / "default").glob("[a-z]*.py")}
    assert len(made) == len(OPERATIONS), made

    monkeypatch.syspath_prepend(document.parent)
    module: ModuleType = importlib.import_module(name)
    models = importlib.import_module(f"{name}.models")
    options = {"base_url": table.url, "timeout": PATIENCE, "verify_ssl": False}
    with module.Client(**options, raise_on_unexpected_status=True, httpx_args={"trust_env": False}) as client:

        def call(operation: str, **sent: Any) -> Any:  # noqa: ANN401  what the generated function takes and gives
            return importlib.import_module(f"{name}.api.default.{operation}").sync(client=client, **sent)

        state = call("post_api_game", body=models.GameBody(entry=models.Entry.CARDS, names=["Ann", "Bob"]))
        page = call("get_api_page")
        for turn in range(MOST_PRESSES):
            if page.table.deal == 2:
                break
            likely = [choice.key for choice in page.choices if choice.likely]
            body = models.PressBody(key=likely[turn % len(likely)], id=f"press {turn}", if_seq=state.seq)
            state = call("post_api_press", body=body)
            assert isinstance(state, models.State), state
            page = call("get_api_page")
        assert page.table.deal == 2
        assert state.to_dict() == table.state()
        counted = call("post_api_count", body=models.CountBody(cards=["5C", "5D", "5S", "JH"], starter="5H"))
        assert counted.points == 29
        assert isinstance(call("post_api_press", body=models.PressBody(key="no key")), models.Error)


@needs_generator
def test_a_client_in_typescript_plays_a_deal(table: RealTable, document: Path) -> None:
    folder = document.parent
    ran("node", OPENAPI_TYPESCRIPT, document, "-o", folder / "api.d.ts", folder=folder)
    shutil.copy(PLAYER, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps(SETTINGS))
    ran("node", TSC, "-p", folder, folder=folder)
    played = json.loads(ran("node", "deal.js", table.url, MOST_PRESSES, folder=folder))
    assert played == {"deal": 2, "points": 29, "state": table.state()}

    wrong = PLAYER.read_text(encoding="utf-8").replace("if_seq:", "if_sq:")
    (folder / PLAYER.name).write_text(wrong, encoding="utf-8")
    with pytest.raises(AssertionError, match="'if_sq' does not exist"):
        ran("node", TSC, "-p", folder, "--noEmit", folder=folder)
