"""`cribpi update`: what is newer, in a checkout or on a stick, what is refused, and what is started.

Bundles and commits are signed, and forged, by OpenSSH itself.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tarfile import TarInfo
from tarfile import open as open_tar
from typing import IO, Any

import pytest
from support.refusals import is_line_with

from cribpi import cli
from cribpi.commands import update
from cribpi.companion import installed
from cribpi.companion.installed import Source
from cribpi.companion.update import checkout as in_checkout
from cribpi.companion.update import lock, signature

pytestmark = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="OpenSSH is not installed")

HERE = platform.machine()
OLD = "# Changes\n\n## 0.1.0\n\n- The first.\n"
NEW = "# Changes\n\n## 0.1.0\n\n- The second.\n- The first.\n"
FIRST, SECOND, THIRD = (f"2026-11-{day}T12:00:00+00:00" for day in (20, 21, 22))


KEYS: dict[str, Path] = {}
"""Private keys by whose they are, each with its public half beside it."""


@pytest.fixture(scope="module", autouse=True)
def keys(tmp_path_factory: pytest.TempPathFactory) -> None:
    for whose in ("maker", "stranger"):
        KEYS[whose] = tmp_path_factory.mktemp("keys") / whose
        ssh_keygen("-t", "ed25519", "-N", "", "-f", str(KEYS[whose]))


def ssh_keygen(*words: str, given: bytes = b"") -> bytes:
    command = ("ssh-keygen", "-q", *words)
    return subprocess.run(command, check=True, capture_output=True, input=given).stdout


def public(whose: str) -> str:
    return KEYS[whose].with_suffix(".pub").read_text(encoding="utf-8")


def fingerprint(whose: str) -> str:
    """Return the fingerprint of that key as OpenSSH has it."""
    return ssh_keygen("-l", "-f", f"{KEYS[whose]}.pub").decode().split()[1]


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a machine that nothing is installed on, and that trusts the maker, seen by root."""
    root = tmp_path / "pi"
    (root / "etc/cribpi").mkdir(parents=True)
    (root / signature.SIGNERS).write_text(signature.allowed_signers(public("maker")), encoding="utf-8")
    monkeypatch.setattr(update, "MACHINE", root)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "Ann")
        monkeypatch.setenv(f"{name}_EMAIL", "ann@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return root


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the command that the program becomes, once it does; of a script, what stands in it."""
    command: list[str] = []

    def execv(path: str, words: list[str]) -> int:
        assert words[0] == path
        assert os.environ["CRIBPI_UPDATE"] == "1"
        if path == "/bin/sh":
            assert os.get_inheritable(int(words[1].removeprefix("/proc/self/fd/")))
            words = [path, Path(words[1]).read_text(encoding="utf-8"), *words[2:]]
        command[:] = words
        return 0

    monkeypatch.setenv("CRIBPI_UPDATE", "")
    monkeypatch.setattr(os, "execv", execv)
    return command


def has(root: Path, source: Source, changelog: str = OLD) -> None:
    """Let *source* be installed below *root*."""
    (root / installed.SOURCE).parent.mkdir(parents=True, exist_ok=True)
    (root / installed.SOURCE).write_text(source.as_json(), encoding="utf-8")
    (root / installed.CHANGES).write_text(changelog, encoding="utf-8")


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["update", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


# --- a checkout ---


def git(folder: Path, *words: str) -> str:
    command = ("git", "-C", str(folder), *words)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def committed(folder: Path, changelog: str, by: str | None = "maker") -> str:
    (folder / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
    (folder / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n', encoding="utf-8")
    git(folder, "add", ".")
    openssh = ["-c", "gpg.format=ssh", "-c", f"user.signingKey={KEYS[by]}"] if by else []
    git(folder, *openssh, "commit", "--quiet", "--message=a change", *(["--gpg-sign"] if by else []))
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def checkout(pi: Path, tmp_path: Path) -> Path:
    """Return a checkout that was installed from, with a branch elsewhere that has nothing newer."""
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    git(there, "init", "--quiet", "--initial-branch=main")
    commit = committed(there, OLD)
    subprocess.run(("git", "clone", "--quiet", there, here), check=True)
    has(pi, Source("0.1.0", commit, FIRST, str(here)))
    return here


def test_a_branch_with_nothing_newer_is_said_to_have_nothing(
    checkout: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, wrong = asked(capsys)
    assert (code, wrong, became) == (0, "", [])
    assert said.startswith("nothing newer: cribpi 0.1.0 (")
    assert checkout.exists()


def test_what_is_newer_is_shown_and_its_installer_takes_over(
    checkout: Path, tmp_path: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before, commit = git(checkout, "rev-parse", "HEAD"), committed(tmp_path / "there", NEW)
    code, said, _ = asked(capsys, "--check")
    assert code == 0
    first, second = said.splitlines()
    assert f"newer: cribpi 0.1.0 ({commit[:7]} of " in first
    assert f"; installed: cribpi 0.1.0 ({before[:7]} of 2026-11-20)" in first
    assert second == "  - The second."
    assert (git(checkout, "rev-parse", "HEAD"), became) == (before, [])
    assert asked(capsys, "--now", "--yes")[0] == 0
    assert git(checkout, "rev-parse", "HEAD") == commit
    assert became == ["/usr/bin/python3", f"{checkout}/systemd/install.py", "--now", "--yes"]


@pytest.mark.parametrize("by", [None, "stranger"])
def test_where_it_was_said_who_signs_a_commit_of_anybody_else_is_not_installed(
    by: str | None,
    checkout: Path,
    pi: Path,
    tmp_path: Path,
    became: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, commit = git(checkout, "rev-parse", "HEAD"), committed(tmp_path / "there", NEW, by)
    code, said, wrong = asked(capsys)
    assert (code, said, became) == (2, "", [])
    assert is_line_with(wrong, "cribpi update: ", commit[:7], "allowed_signers")
    assert git(checkout, "rev-parse", "HEAD") == before
    (pi / signature.SIGNERS).write_text("", encoding="utf-8")
    assert asked(capsys)[0] == 2, "who trusts nobody trusts nobody's commits either"
    (pi / signature.SIGNERS).unlink()
    assert asked(capsys)[0] == 0, "a checkout is trusted as its remote is"
    assert git(checkout, "rev-parse", "HEAD") == commit


def test_what_lies_in_a_checkout_and_is_not_its_own_is_not_run_by_root(
    checkout: Path, tmp_path: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    committed(tmp_path / "there", NEW)
    (checkout / "systemd").mkdir()
    (checkout / "systemd" / "argparse.py").write_text("raise SystemExit('hers')\n", encoding="utf-8")
    code, said, wrong = asked(capsys)
    assert (code, said, became) == (2, "", [])
    assert is_line_with(wrong, "cribpi update: ", "systemd/argparse.py", "move it away")


def test_a_checkout_that_was_brought_up_and_not_installed_is_newer_too(
    checkout: Path, tmp_path: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As after a plug that was pulled in the middle of an update, or a program that did not start."""
    committed(tmp_path / "there", NEW)
    git(checkout, "pull", "--quiet")
    assert asked(capsys)[1].startswith("newer: ")
    assert became


def test_local_changes_and_commits_are_refused(
    checkout: Path, tmp_path: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    committed(tmp_path / "there", NEW)
    (checkout / "pyproject.toml").write_text("mine\n", encoding="utf-8")
    code, said, wrong = asked(capsys)
    assert (code, said, became) == (2, "", [])
    assert is_line_with(wrong, "cribpi update: ", checkout, "local changes", "pyproject.toml", "git stash")
    committed(checkout, OLD + "\nmine\n")
    code, said, wrong = asked(capsys)
    assert (code, said, became) == (2, "", [])
    assert f"{checkout} has 1 commits that origin/main lacks: git -C {checkout} rebase origin/main" in wrong


def test_without_a_network_or_a_branch_the_remedy_is_said(
    checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "there").rename(tmp_path / "away")
    code, said, wrong = asked(capsys)
    assert (code, said, wrong.count("\n")) == (2, "", 1)
    assert "origin/main can't be fetched (" in wrong
    assert ": check the network, or give a bundle on a stick" in wrong
    git(checkout, "branch", "--unset-upstream")
    assert f"{checkout} follows no branch: git -C {checkout} branch --set-upstream-to" in asked(capsys)[2]
    (checkout / ".git").rename(checkout / "git")
    assert f"{checkout}, which cribpi was installed from, is not a git checkout any more" in asked(capsys)[2]


def test_a_file_that_git_does_not_know_is_in_nobodys_way(
    checkout: Path, tmp_path: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    commit = committed(tmp_path / "there", NEW)
    (checkout / "notes.txt").write_text("mine\n", encoding="utf-8")
    assert asked(capsys, "--yes")[0] == 0
    assert became
    assert git(checkout, "rev-parse", "HEAD") == commit


def test_a_file_in_the_way_is_left_alone_and_said_to_be(
    checkout: Path, tmp_path: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "there" / "notes.txt").write_text("theirs\n", encoding="utf-8")
    committed(tmp_path / "there", NEW)
    (checkout / "notes.txt").write_text("mine\n", encoding="utf-8")
    code, _, wrong = asked(capsys, "--yes")
    assert (code, became) == (2, [])
    assert is_line_with(wrong, "cribpi update: ", checkout, "can't be updated to origin/main", "untracked")
    assert (checkout / "notes.txt").read_text(encoding="utf-8") == "mine\n"


def test_a_checkout_that_git_cannot_read_is_said_with_where_to_look(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / ".git" / "HEAD").write_text("damaged\n", encoding="utf-8")
    code, _, wrong = asked(capsys)
    assert code == 2
    assert is_line_with(wrong, "cribpi update: ", "fatal", f"git -C {checkout} status")


def test_only_root_and_its_owner_fetch_into_a_checkout(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if os.getuid() == 0:
        os.chown(checkout, 65534, 65534)
    assert "only its owner" not in asked(capsys, "--check")[2]
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    code, _, wrong = asked(capsys, "--check")
    assert code == 2
    assert is_line_with(wrong, "only its owner and root", checkout, "sudo cribpi update")


def test_nobody_is_asked_for_a_name_or_a_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """git(1), GIT_TERMINAL_PROMPT; ssh_config(5), BatchMode."""
    environment: dict[str, str] = {}

    def run(*_command: object, **settings: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401  those of subprocess
        environment.update(settings["env"])
        return subprocess.CompletedProcess((), 0, "main\n", "")

    monkeypatch.setattr(subprocess, "run", run)
    in_checkout.git(tmp_path, "fetch")
    assert environment["GIT_TERMINAL_PROMPT"] == "0"
    assert "BatchMode=yes" in environment["GIT_SSH_COMMAND"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_root_asks_git_as_the_folders_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else git refuses the folder, or what it fetches is root's afterwards."""
    os.chown(tmp_path, 65534, 65534)
    asked_as: list[object] = []

    def run(*_command: object, **settings: object) -> subprocess.CompletedProcess[str]:
        asked_as.extend(settings.get(name) for name in ("user", "group", "extra_groups"))
        return subprocess.CompletedProcess((), 0, "main\n", "")

    monkeypatch.setattr(subprocess, "run", run)
    assert in_checkout.git(tmp_path, "branch") == "main"
    os.chown(tmp_path, 0, 0)
    in_checkout.git(tmp_path, "branch")
    assert asked_as == [65534, 65534, (), None, None, None]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_git_finds_the_settings_of_the_folders_owner_and_none_of_roots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes: list[str] = []

    def run(*_command: object, **settings: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401  those of subprocess
        homes.append(settings["env"]["HOME"])
        return subprocess.CompletedProcess((), 0, "main\n", "")

    monkeypatch.setattr(subprocess, "run", run)
    known, unknown = 65534, 4_000_000
    for owner in (known, unknown):
        os.chown(tmp_path, owner, owner)
        in_checkout.git(tmp_path, "branch")
    assert homes == [pwd.getpwuid(known).pw_dir, "/"]


def test_without_git_it_is_said_how_to_install_it(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.exists()
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, wrong = asked(capsys)
    assert (code, wrong.count("\n")) == (2, 1)
    assert "sudo apt install git" in wrong


def test_a_git_that_never_answers_is_given_up_on_after_ten_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def run(command: object, *, timeout: float, **_settings: object) -> subprocess.CompletedProcess[str]:
        waited.append(timeout)
        raise subprocess.TimeoutExpired(str(command), timeout)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(in_checkout.GitFailed, match="no answer in 10 minutes"):
        in_checkout.git(tmp_path, "fetch")
    assert waited == [600]


def test_a_git_that_fails_is_told_in_its_own_words_or_by_its_command(checkout: Path) -> None:
    with pytest.raises(in_checkout.GitFailed, match=r"^fatal: .*nowhere"):
        in_checkout.git(checkout, "log", "nowhere")
    with pytest.raises(in_checkout.GitFailed, match=r"^git rev-parse failed$"):
        in_checkout.git(checkout, "rev-parse", "--verify", "--quiet", "nowhere")


def test_a_folder_is_known_by_its_version_its_last_commit_and_its_place(checkout: Path) -> None:
    commit = committed(checkout, NEW)
    date = git(checkout, "show", "--no-patch", "--format=%cI", "HEAD")
    assert in_checkout.source_at(checkout) == Source("0.1.0", commit, date, str(checkout))
    (checkout / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message=another")
    assert in_checkout.source_at(checkout).version == ""


# --- a stick ---


def bundle(
    path: Path,
    source: Source,
    changelog: str = NEW,
    *,
    machine: str = HERE,
    by: str | None = "maker",
    spoil: bytes = b"",
) -> Path:
    """Write a bundle as far as `cribpi update` reads it, signed *by* one; *spoil* is added at its end."""
    packed = BytesIO()
    with open_tar(fileobj=packed, mode="w") as archive:
        entry = TarInfo("CHANGELOG.md")
        entry.size = len(changelog.encode())
        archive.addfile(entry, BytesIO(changelog.encode()))
    data = packed.getvalue()
    whole = {"machine": machine, "bytes": len(data), "sum": sha256(data).hexdigest()}
    about = json.dumps(json.loads(source.as_json()) | whole)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"#!/bin/sh\n# about: {about}\nexit\n".encode() + data)
    if by:
        signature.sign(path, KEYS[by])
    path.write_bytes(path.read_bytes() + spoil)
    return path


HAD = Source("0.1.0", "b" * 40, SECOND)
NEWER = Source("0.1.0", "c" * 40, THIRD)


@pytest.mark.parametrize("place", ["media/ann/stick", "media/stick", "mnt", "mnt/stick"])
def test_the_newest_bundle_on_a_stick_is_found_and_becomes_the_installer(
    place: str, pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    bundle(pi / place / "cribpi-0.0.9-a.run", Source("0.0.9", "a" * 40, THIRD))
    path = bundle(pi / place / "cribpi-0.1.0-b.run", NEWER)
    bundle(pi / place / "cribpi-9.9.9-c.run", Source("9.9.9"), machine="riscv64")
    bundle(pi / place / "cribpi-9.9.9-d.run", Source("9.9.9"), spoil=b"\n")
    code, said, _ = asked(capsys)
    assert code == 0
    assert said.splitlines()[0].startswith("newer: cribpi 0.1.0 (ccccccc of 2026-11-22)")
    assert said.splitlines()[1:] == ["  - The second."]
    shell, script = became
    assert shell == "/bin/sh"
    assert path.read_text(encoding="utf-8").startswith(script)


@pytest.mark.parametrize(
    ("source", "machine", "spoil", "says"),
    [
        (
            Source("0.1.0", "a" * 40, FIRST),
            HERE,
            b"",
            "older than the installed 0.1.0 (bbbbbbb of 2026-11-21): ",
        ),
        (Source("0.0.9"), HERE, b"", "0.0.9, which is older than the installed"),
        (NEWER, "riscv64", b"", f"is for riscv64, and this is {HERE}: get the one for {HERE}"),
        (NEWER, HERE, b"\n", "is not signed, or not whole: copy it again"),
    ],
)
def test_a_bundle_that_does_not_fit_is_refused_with_or_without_its_path(
    source: Source,
    machine: str,
    spoil: bytes,
    says: str,
    pi: Path,
    became: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", source, machine=machine, spoil=spoil)
    for arguments in ((), (str(path),), ("--check",)):
        code, said, wrong = asked(capsys, *arguments)
        assert (code, said, wrong.count("\n"), became) == (2, "", 1, [])
        assert says in wrong


@pytest.mark.parametrize("path_given", [True, False])
def test_a_bundle_with_one_wrong_byte_is_not_installed(
    pi: Path, became: list[str], capsys: pytest.CaptureFixture[str], *, path_given: bool
) -> None:
    """A stick that has lost a bit: it is as long as it was, and tar reads all of it."""
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", NEWER)
    path.write_bytes(path.read_bytes().replace(b"- The second.", b"- The sekond."))
    code, said, wrong = asked(capsys, *[str(path)] * path_given)
    assert (code, said, became) == (2, "", [])
    assert f"{path} is damaged or changed, and not what was signed" in wrong


def flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


def test_what_was_looked_at_is_run_and_not_what_lies_there_by_then(
    pi: Path, became: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", NEWER)
    verified = signature.verified

    def and_then_another(path: Path, root: Path) -> IO[bytes]:
        copy = verified(path, root)
        path.write_bytes(b"#!/bin/sh\necho another\n")
        return copy

    monkeypatch.setattr("cribpi.companion.update.bundle.verified", and_then_another)
    assert asked(capsys, str(path))[0] == 0
    assert "# about: " in became[1]


def test_no_bit_of_the_head_can_be_another(
    pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", NEWER)
    data = path.read_bytes()
    for bit in range(0, 8 * data.index(b"exit\n"), 157):
        path.write_bytes(flipped(data, bit))
        assert asked(capsys)[:2] == (2, ""), bit
    assert became == []


@pytest.mark.parametrize(("by", "says"), [(None, "is not signed"), ("stranger", "which is not trusted here")])
def test_what_nobody_or_a_stranger_has_signed_is_refused_and_hides_nothing(
    by: str | None, says: str, pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-9.run", Source("99.0", "d" * 40, THIRD), by=by)
    for arguments in ((), (str(path),), ("--check",), ("--back", str(path))):
        code, said, wrong = asked(capsys, *arguments)
        assert (code, said, became) == (2, "", [])
        assert is_line_with(wrong, "cribpi update: ", path, *([fingerprint(by)] if by else []), says)
    bundle(pi / "mnt/cribpi-1.run", NEWER)
    assert asked(capsys)[1].startswith("newer: cribpi 0.1.0 (ccccccc")
    assert '"0.1.0"' in became[1]


def test_a_signature_for_something_else_or_of_another_file_is_none(
    pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", NEWER, by=None)
    other = bundle(pi / "other.run", HAD)
    data = path.read_bytes()
    letter = ssh_keygen("-Y", "sign", "-n", "file", "-f", str(KEYS["maker"]), given=data)
    for wrong in (letter, other.read_bytes()[-len(letter) :], letter[:-40] + b"\n" + letter[-39:]):
        path.write_bytes(data + wrong)
        assert asked(capsys)[:2] == (2, "")
    assert became == []


def test_before_somebody_is_trusted_the_key_is_shown_and_nothing_is_installed(
    pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    (pi / signature.SIGNERS).unlink()
    bundle(pi / "mnt/cribpi-1.run", NEWER)
    code, said, wrong = asked(capsys)
    assert (code, said, became) == (2, "", [])
    assert is_line_with(wrong, "cribpi update: ", fingerprint("maker"), "--trust")
    assert asked(capsys, "--trust", f"{KEYS['maker']}.pub")[:2] == (0, f"trusted: {fingerprint('maker')}\n")
    assert asked(capsys)[0] == 0
    assert became


@pytest.mark.usefixtures("became")
def test_whoever_is_trusted_from_now_on_is_the_only_one(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    has(pi, HAD)
    said = asked(capsys, "--trust", f"{KEYS['stranger']}.pub")[1]
    assert said == f"trusted: {fingerprint('stranger')}\nno longer trusted: {fingerprint('maker')}\n"
    assert (pi / signature.SIGNERS).stat().st_mode & 0o777 == 0o644
    path = bundle(pi / "mnt/cribpi-1.run", NEWER)
    assert asked(capsys)[:2] == (2, "")
    bundle(path, NEWER, by="stranger")
    assert asked(capsys)[0] == 0
    for text in ("", "nonsense\n", "ssh-ed25519 short\n"):
        bad = pi / "bad.pub"
        bad.write_text(text, encoding="utf-8")
        code, said, wrong = asked(capsys, "--trust", str(bad))
        assert (code, said) == (2, "")
        assert "no public key" in wrong
    assert asked(capsys, "--trust", str(KEYS["maker"]))[:2] == (2, ""), "a private key"


def test_a_key_that_is_none_changes_nothing(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    has(pi, HAD)
    before = (pi / signature.SIGNERS).read_bytes()
    bad = pi / "bad.pub"
    bad.write_text(f"ssh-ed25519 {'A' * 33}\n", encoding="utf-8")  # no base64 has so many letters
    assert is_line_with(asked(capsys, "--trust", str(bad))[2], "cribpi update: ", bad, "can't be read")
    assert (pi / signature.SIGNERS).read_bytes() == before


def test_an_older_one_is_installed_with_back_alone(
    pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", Source("0.0.9"))
    code, said, wrong = asked(capsys, str(path))
    assert (code, said, became) == (2, "", [])
    assert f"sudo cribpi update --back {path}" in wrong
    assert asked(capsys, "--back", str(path))[0] == 0
    assert '"0.0.9"' in became[1]


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_bad_date(path: Path) -> None:
    bundle(path, Source("99.0", "d" * 40, "yesterday"))


def nested_deeply(path: Path) -> None:
    path.write_bytes(b"# about: " + b"[" * 8000 + b"\n")
    signature.sign(path, KEYS["maker"])


def zeros_without_end(path: Path) -> None:
    """Make a hole of a terabyte."""
    with path.open("wb") as file:
        file.truncate(1 << 40)


def a_changelog_of_holes(path: Path) -> None:
    """Let the changelog of 512 bytes say that it is 3 GB, as GNU tar keeps sparse files."""
    entry = TarInfo("CHANGELOG.md")
    entry.pax_headers = {
        "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.name": "CHANGELOG.md",
        "GNU.sparse.size": "3000000000", "GNU.sparse.map": "0,0,2999999488,512", "GNU.sparse.numblocks": "2",
    }  # fmt: skip
    entry.size = 512
    packed = BytesIO()
    with open_tar(fileobj=packed, mode="w", format=1 + 1) as archive:
        archive.addfile(entry, BytesIO(b"x" * 512))
    data = packed.getvalue()
    about = json.loads(NEWER.as_json()) | {"machine": HERE, "bytes": len(data), "sum": ""}
    path.write_bytes(f"# about: {json.dumps(about)}\n".encode() + data)
    signature.sign(path, KEYS["maker"])


HOSTILE: list[Callable[[Path], None]] = [
    a_pipe, a_bad_date, nested_deeply, zeros_without_end, a_changelog_of_holes, Path.mkdir,
]  # fmt: skip


@pytest.mark.parametrize("make", HOSTILE)
def test_one_bad_file_neither_stops_nor_hides_a_good_one(
    make: Callable[[Path], None], pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    (pi / "mnt").mkdir()
    make(pi / "mnt/cribpi-0.run")
    bundle(pi / "mnt/cribpi-1.run", NEWER)
    assert asked(capsys)[1].startswith("newer: cribpi 0.1.0 (ccccccc")
    assert "exit\n" in became[1]


@pytest.mark.usefixtures("became")
def test_what_a_changelog_says_does_not_reach_the_terminal_as_it_is(
    pi: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    bundle(pi / "mnt/cribpi-1.run", NEWER, "- \x1b]0;gone\x07 \x1b[2Jred\u202e\n")
    said = asked(capsys)[1]
    assert said.endswith(r"- \x1b]0;gone\x07 \x1b[2Jred\u202e" + "\n")


def test_the_newest_of_several_is_not_the_last_by_its_name(
    pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    bundle(pi / "mnt/cribpi-0.10.0.run", Source("0.10.0"))
    bundle(pi / "mnt/cribpi-0.9.1.run", Source("0.9.1", "c" * 40, THIRD))
    assert asked(capsys)[0] == 0
    assert '"0.10.0"' in became[1]


@pytest.mark.parametrize("source", [Source("0.1.0", "c" * 40, SECOND), Source("0.2.0rc1")])
def test_another_commit_of_the_same_second_and_what_comes_before_a_version_are_no_older(
    source: Source, pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    bundle(pi / "mnt/cribpi-1.run", source)
    assert asked(capsys)[0] == 0
    assert became[0] == "/bin/sh"


def test_a_bundle_of_what_is_installed_is_nothing_newer(
    pi: Path, became: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", HAD)
    assert asked(capsys, str(path)) == (0, f"nothing newer: cribpi {HAD} is installed\n", "")
    assert became == []


def test_a_stick_without_one_and_a_file_that_is_none_are_refused(
    pi: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    assert "no bundle in /media or /mnt: mount the stick or give the path" in asked(capsys)[2]
    other = tmp_path / "other.run"
    assert f"{other} can't be read (No such file or directory)" in asked(capsys, str(other))[2]
    for data in (b"", b"#!/bin/sh\n", b"\0" * 9000):
        other.write_bytes(data)
        assert f"{other} is not signed" in asked(capsys, str(other))[2]
        signature.sign(other, KEYS["maker"])
        assert f"{other} is not a cribpi bundle" in asked(capsys, str(other))[2]
    for line in (b"# about: {}", b"# about: []", b"# about: \xff", b'# about: {"bytes": 9}'):
        other.write_bytes(line)
        signature.sign(other, KEYS["maker"])
        assert f"{other} was not made by this program" in asked(capsys, str(other))[2]


# --- who may, where, and how many at once ---


def test_of_two_at_once_one_is_told_to_wait(tmp_path: Path) -> None:
    """What the first becomes is as much at it as itself."""
    program = (
        "import os, sys, pathlib; from cribpi.companion.update import lock\n"
        "with lock.hold(pathlib.Path(sys.argv[1])): print('held', flush=True); os.execvp('cat', ['cat'])"
    )
    command = (sys.executable, "-c", program, str(tmp_path))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        assert second.returncode == 1
        assert "wait until it is done" in second.stderr
        first.stdin.close()
    with (tmp_path / "run/cribpi-update.lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # waits until it is let go
    with lock.hold(tmp_path):
        pass


def test_somebody_else_than_root_may_look(
    pi: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has(pi, HAD)
    path = bundle(pi / "mnt/cribpi-1.run", NEWER)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    code, said, wrong = asked(capsys, str(path))
    assert (code, said) == (2, "")
    assert is_line_with(wrong, "cribpi update: ", "root", "sudo cribpi update", "cribpi update --check")
    assert asked(capsys, str(path), "--check")[0] == 0


def test_where_nothing_is_installed_there_is_nothing_to_update(
    pi: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "cribpi is not installed as a service here" in asked(capsys)[2]
    (pi / installed.STAMP).parent.mkdir(parents=True)
    (pi / installed.STAMP).touch()
    assert "no bundle in /media or /mnt" in asked(capsys)[2]
    (pi / installed.SOURCE).write_text("{}", encoding="utf-8")
    assert installed.source(pi) is None
