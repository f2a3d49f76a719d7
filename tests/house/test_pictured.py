"""While the house is rebuilt, nothing that people see may change: not a byte of JSON, a pixel or a lamp."""

from __future__ import annotations

import json

from support.pictured import DIGESTS, digests


def test_all_that_is_shown_is_the_same_as_before() -> None:
    before, now = json.loads(DIGESTS.read_text(encoding="utf-8")), digests()
    assert list(now) == list(before)
    changed = [
        (name, kind) for name, kinds in now.items() for kind in kinds if kinds[kind] != before[name][kind]
    ]
    assert not changed, "PYTHONPATH=tests python -m support.pictured FOLDER, with both versions, shows how"
