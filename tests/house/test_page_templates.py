"""Components in the page's templates get the props they declare: tests/companion/web/types/templates.mjs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support.patience import PATIENCE

TSC = Path(os.environ.get("CRIBPI_TSC", "not given"))
CHECKER = Path(__file__).parents[1] / "companion" / "web" / "types" / "templates.mjs"

pytestmark = pytest.mark.skipif(
    not TSC.exists() or shutil.which("node") is None,
    reason="there is no TypeScript compiler: `make check` installs it, where there is npm",
)


def test_a_wrong_prop_one_too_many_and_a_missing_one_are_errors_and_there_are_no_others(
    tmp_path: Path,
) -> None:
    planted = [
        (
            "games.js",
            "<${GameRow} key=${row.game} row=${row}",
            "<${GameRow} key=${row.game} row=${row.game}",
        ),
        (
            "log.js",
            "<${Line} key=${line.seq} line=${line} />",
            "<${Line} key=${line.seq} line=${line} lone />",
        ),
        ("device.js", "<${Screen} state=${now.state} />", "<${Screen} />"),
    ]
    changes = tmp_path / "changes.json"
    changes.write_text(json.dumps(planted))
    command = ["node", str(CHECKER), str(TSC.parent.parent / "lib" / "typescript.js"), str(changes)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    found = done.stdout.splitlines()
    told = {error.partition(":")[0]: error for error in found}
    assert len(found) == len(planted), done.stdout
    assert "is not assignable to type 'PastRow'" in told["games.js"]
    assert "'\"lone\"' does not exist in type" in told["log.js"]
    assert "Property 'state' is missing in type '{}'" in told["device.js"]
