"""The calls of docs/how-to/http.md print what the page says."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support import pages
from support.companions import served
from support.patience import PATIENCE

TEXT = pages.read(pages.DOCS / "how-to" / "http.md")
CALLS = [block.text for block in pages.blocks(TEXT, "sh")]
PRINTED = [block.text for block in pages.blocks(TEXT, "text")]


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="needs curl and jq")
def test_the_calls_print_what_the_page_says(tmp_path: Path) -> None:
    with served(tmp_path) as (_, url):
        ran = [
            subprocess.run(
                ["sh", "-c", call.replace("http://127.0.0.1:8121", url.rstrip("/"))],
                env=os.environ | {"no_proxy": "127.0.0.1"},
                capture_output=True,
                encoding="utf-8",
                timeout=PATIENCE,
                check=True,
            ).stdout
            for call in CALLS
        ]
    assert ran == PRINTED
