"""A script that is sent without its comments is the same program: the TypeScript compiler reads both.

The space before the lines of its markup goes, too: `tests/companion/web/test_first_load.py` holds that no
other text has any.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from support.patience import PATIENCE

from cribpi.companion.web.files import without_comments

TSC = Path(os.environ.get("CRIBPI_TSC", "not given"))
PAGE = Path(str(files("cribpi.companion.web").joinpath("page")))
PRINTED = """
const ts = require(process.argv[1]);
const newest = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
const options = { allowJs: true, removeComments: true, ...newest };
const printed = (text) => {
  const how = { fileName: "x.js", compilerOptions: options, reportDiagnostics: true };
  const made = ts.transpileModule(text, how);
  return [made.diagnostics.length, made.outputText.replace(/^[ \\t]+/gm, "")];
};
const pairs = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(pairs.map(([one, other]) => [printed(one), printed(other)])));
"""

pytestmark = pytest.mark.skipif(
    not TSC.exists() or shutil.which("node") is None,
    reason="there is no TypeScript compiler: `make check` installs it, where there is npm",
)


def are_same(scripts: list[str]) -> list[bool]:
    """Return for each of *scripts* whether it is the same program without its comments, as it is printed."""
    pairs = json.dumps([[script, without_comments(script.encode()).decode()] for script in scripts])
    command = ["node", "-e", PRINTED, str(TSC.parent.parent / "lib" / "typescript.js")]
    done = subprocess.run(command, input=pairs, capture_output=True, text=True, check=True, timeout=PATIENCE)
    found = json.loads(done.stdout)
    assert not any(errors for pair in found for errors, _ in pair)
    return [one == other for one, other in found]


def test_every_script_is_the_same_program_without_its_comments() -> None:
    scripts = [path for path in sorted(PAGE.rglob("*.js")) if "vendor" not in path.parts]
    assert len(scripts) > 50
    same = are_same([path.read_text("utf-8") for path in scripts])
    assert [path.name for path, is_same in zip(scripts, same, strict=True) if not is_same] == []


def test_a_line_of_a_template_that_looks_like_a_comment_would_be_seen() -> None:
    inside = "const text = `one\\n${two(`\\n%s\\n`)}\\n`;".replace("\\n", "\n")
    assert are_same([inside % "three", inside % "// three", inside % "/** three */", "// a\nlet a;"]) == [
        True,
        False,
        False,
        True,
    ]
