"""The bundle: which wheels it takes, what it refuses, what it installs; `make bundle-test` does it."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import bundled
import compiled
import debian
import install
import make
import pytest
import slots
import steps
import targets
import wheels
from support import pages
from support.paths import CHECKOUT, SYSTEMD
from targets import Target

from cribpi.companion import installed
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.config import SoundConfig
from cribpi.companion.update import signature

needs_openssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="OpenSSH is not installed")
PUBLIC = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
PI_311, PI_313 = targets.targets("aarch64")
RUN = Path(__file__).parent / "run"


def elf(machine: int, *, is_64: bool = True) -> bytes:
    """Return the first bytes of a compiled file, as in the ELF specification."""
    return b"\x7fELF" + bytes([1 + is_64, 1, 1]) + bytes(9) + struct.pack("<HH", 3, machine)


def wheel(folder: Path, name: str, files: dict[str, bytes], *needs: str) -> Path:
    """Make a wheel called *name* with *files* in it, that asks for *needs*."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.whl"
    called, version = name.split("-")[:2]
    metadata = "".join(f"Requires-Dist: {one}\n" for one in needs)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{called}-{version}.dist-info/METADATA", f"Name: {called}\n{metadata}\n")
        for file, data in files.items():
            archive.writestr(file, data)
    return path


# --- the wheels ---


@pytest.mark.parametrize("module", [compiled, make, targets, wheels])
def test_the_examples_in_the_code_are_right(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_each_python_gets_the_wheel_that_is_for_it(tmp_path: Path) -> None:
    for name in (
        "numpy-2.4.6-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64",
        "numpy-2.4.6-cp313-cp313-manylinux_2_27_aarch64.manylinux_2_28_aarch64",
        "numpy-2.4.6-cp313-cp313t-manylinux_2_28_x86_64",
        "numpy-2.4.5-cp311-cp311-manylinux_2_28_aarch64",
        "segno-1.6.6-py3-none-any",
        "serial-3.5-py2.py3-none-any",
        "newest-1.0-cp311-cp311-manylinux_2_39_aarch64",
    ):
        wheel(tmp_path, name, {})

    def found(name: str, version: str, target: Target) -> str:
        path = wheels.wheel_of(name, version, target, tmp_path)
        return path.name.split("-")[2] if path else ""

    assert [found("numpy", "2.4.6", one) for one in (PI_311, PI_313)] == ["cp311", "cp313"]
    assert found("numpy", "2.4.6", Target("x86_64", (3, 11), "bookworm")) == ""
    assert [found("segno", "1.6.6", one) for one in (PI_311, PI_313)] == ["py3", "py3"]
    assert found("serial", "3.5", PI_311) == "py2.py3"
    assert found("newest", "1.0", PI_311) == "", "Bookworm's C library is older"


def test_what_is_needed_is_asked_for_the_target_and_not_for_this_machine(tmp_path: Path) -> None:
    path = wheel(
        tmp_path,
        "thing-1.0-py3-none-any",
        {},
        "Adafruit_Blinka",
        "lgpio; python_version < '3.13' and extra == 'pi'",
        "only-there; platform_machine == 'aarch64'",
        "only-windows; sys_platform == 'win32'",
    )
    assert wheels.needs(path, PI_311, "pi") == {"adafruit-blinka", "lgpio", "only-there"}
    assert wheels.needs(path, PI_313, "pi") == {"adafruit-blinka", "only-there"}
    other = Target("x86_64", (3, 11), "bookworm")
    assert wheels.needs(path, other) == {"adafruit-blinka"}


def test_everything_that_is_needed_in_turn_comes_along_and_lgpio_for_each_python(tmp_path: Path) -> None:
    def of(target: Target) -> list[str]:
        program = wheel(tmp_path, "cribpi-0.1.0-py3-none-any", {}, "uvicorn>=0.29")
        pins = compiled.pins()
        wheel(tmp_path, f"uvicorn-{pins['uvicorn']}-py3-none-any", {}, "h11>=0.8")
        h11 = wheel(tmp_path / "own", f"h11-{pins['h11']}-py3-none-any", {})
        lgpio = wheel(tmp_path / "own", f"lgpio-0.2.2.0-{target.tag}-{target.tag}-linux_aarch64", {})
        found = wheels.fetched(program, target, tmp_path, {"h11": h11, "lgpio": lgpio})
        return [wheels.name_of(path) for path in found]

    assert of(PI_311) == of(PI_313) == ["cribpi", "h11", "lgpio", "uvicorn"]


@pytest.mark.parametrize("has_wheel", [True, False])
def test_without_a_compiler_what_has_no_wheel_is_left_out(
    *, has_wheel: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = wheel(tmp_path, "cribpi-0.1.0-py3-none-any", {}, "h11")
    pins = compiled.pins()
    wheel(tmp_path, f"h11-{pins['h11']}-py3-none-any", {})

    def download(wanted: list[str], target: Target, folder: Path, *, is_loud: bool = True) -> None:
        assert (wanted, is_loud) == ([f"lgpio=={pins['lgpio']}"], False)
        if not has_wheel:
            raise compiled.Refused("no wheel")
        wheel(folder, f"lgpio-{pins['lgpio']}-{target.tag}-{target.tag}-linux_aarch64", {})

    monkeypatch.setattr(wheels, "download", download)
    found = wheels.fetched(program, PI_311, tmp_path, {}, optional=wheels.COMPILED)
    assert ("lgpio" in [wheels.name_of(path) for path in found]) is has_wheel


FOREIGN = """
import sys
for name in ("fcntl", "grp", "pwd", "termios", "resource", "syslog"):
    sys.modules[name] = None
import os
for name in ("getuid", "geteuid", "chown", "O_CLOEXEC", "sync", "fork"):
    delattr(os, name)
sys.path[:0] = sys.argv[1:]
import make
print(make.copied.__doc__.splitlines()[0])
"""


def test_it_can_be_made_where_there_is_no_posix() -> None:
    folder = SYSTEMD / "bundle"
    command = [sys.executable, "-c", FOREIGN, str(folder)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith(
        "Copy the `SOURCES`"
    )


def test_what_git_on_windows_has_written_is_as_on_linux(tmp_path: Path) -> None:
    there = tmp_path / "there"
    texts = [
        path.relative_to(CHECKOUT)
        for name in ("systemd", "LICENSE", "CHANGELOG.md", "constraints.txt")
        for path in [CHECKOUT / name, *(CHECKOUT / name).rglob("*")]
        if path.is_file() and "__pycache__" not in path.parts
    ]
    for path in texts:
        (there / path).parent.mkdir(parents=True, exist_ok=True)
        (there / path).write_bytes((CHECKOUT / path).read_bytes().replace(b"\n", b"\r\n"))
        (there / path).chmod(0o777)
    (there / "cribpi").mkdir()
    (there / "cribpi" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    here = make.copied(there, tmp_path / "here")
    assert all((here / path).read_bytes() == (CHECKOUT / path).read_bytes() for path in texts)
    assert (here / "cribpi" / "picture.png").read_bytes() == b"\x89PNG\r\n\x1a\n\0"
    with tarfile.open(fileobj=BytesIO(make.payload({}, here, ABOUT))) as archive:
        assert {one.mode for one in archive.getmembers()} == {0o644}


def test_what_has_no_pin_is_refused(tmp_path: Path) -> None:
    program = wheel(tmp_path, "cribpi-0.1.0-py3-none-any", {}, "leftpad")
    with pytest.raises(compiled.Refused, match=r"^leftpad: not in constraints\.txt"):
        wheels.fetched(program, PI_311, tmp_path, {"lgpio": tmp_path / "none"})


@pytest.mark.parametrize(
    ("compiler", "says"),
    [
        (None, "aarch64-linux-gnu-gcc is not installed"),
        ("exit 1", "the C headers for aarch64 are not installed"),
    ],
)
def test_a_compiler_or_its_headers_that_are_missing_are_named_with_their_packages(
    compiler: str | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, does in (("aarch64-linux-gnu-gcc", compiler), ("swig", "")):
        if does is not None:
            (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
            (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    remedy = "sudo apt install gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    assert make.without_compiler("aarch64") == f"{says}; {remedy}"


def test_what_is_compiled_is_pinned_in_the_same_version_twice() -> None:
    for name, file in {**wheels.COMPILED, "adafruit-extended-bus": compiled.HERE / "pure.txt"}.items():
        assert f"\n{name}=={compiled.pins()[name]} --hash=sha256:" in file.read_text(encoding="utf-8")


LGPIO = {"lgpio.py": b"def gpiochip_open(gpiochip):\n", "_lgpio.cpython-313-aarch64-linux-gnu.so": elf(183)}
BAD = [
    ("lgpio-0.2.2.0-cp313-cp313-linux_aarch64", LGPIO, ""),
    ("lgpio-0.0.0.2-py3-none-any", {"lgpio.py": b""}, "nothing in it has def gpiochip_open("),
    ("lgpio-0.2.2.0-cp313-cp313-linux_x86_64", LGPIO, "not for Python 3.13 on aarch64"),
    ("x-1-cp313-cp313-linux_aarch64", {"x.so": elf(62)}, "x.so: not compiled for aarch64"),
    ("x-1-cp313-cp313-linux_aarch64", {"x.so.1": elf(40, is_64=False)}, "not compiled for aarch64"),
    ("x-1-cp313-cp313-linux_aarch64", {"x.so": b"text" * 9}, "x.so: not compiled"),
    ("x-1-cp313-cp313-linux_aarch64", {"x.cpython-311-aarch64-linux-gnu.so": elf(183)}, "another Python"),
    ("x-1-cp311-cp311-linux_aarch64", {"x.abi3.so": elf(183)}, "not for Python 3.13"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "files", "says"), BAD)
def test_a_wheel_that_would_not_run_there_is_found(
    name: str, files: dict[str, bytes], says: str, tmp_path: Path
) -> None:
    found = list(wheels.wrong_with(wheel(tmp_path, name, files), PI_313))
    assert bool(found) is bool(says)
    assert says in "; ".join(found)


# --- the file ---


def program(folder: Path) -> Path:
    """Return a wheel of the program as it is now, made in *folder* without its metadata."""
    files = {
        f"cribpi/{path.relative_to(root)}": path.read_bytes()
        for root in (CHECKOUT / "cribpi", CHECKOUT / "hardware")
        for path in root.rglob("*")
        if path.suffix in {".py", ".toml"}
    }
    return wheel(folder, "cribpi-0.1.0-py3-none-any", files)


ABOUT = {"version": "0.1.0", "commit": "780c4a8f3d", "date": "2026-11-27T12:00:00+00:00"}


def packed(ours: Path) -> bytes:
    return make.payload({"cp311": [ours], "cp313": [ours]}, CHECKOUT, ABOUT)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle for x86_64 with no wheel but the program's."""
    folder = tmp_path_factory.mktemp("bundle")
    ours = program(folder / "own")
    return make.write(folder, "x86_64", packed(ours), ABOUT)


def opened(
    bundle: Path, folder: Path, *arguments: str, here: str = "x86_64-linux-gnu 3.11"
) -> tuple[int, str, str]:
    """Run *bundle* as on a system that says it is *here*; it must leave nothing behind."""
    python, temporary = folder / "python", folder / "temporary"
    temporary.mkdir(parents=True, exist_ok=True)
    python.write_text(
        f'#!/bin/sh\n[ "$1" != -c ] || {{ echo "{here}"; exit; }}\nexec {sys.executable} -I -S "$@"\n'
    )
    python.chmod(0o755)
    environ = {**os.environ, "PYTHON": str(python), "TMPDIR": str(temporary)}
    command = ["sh", str(bundle), *arguments]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert list(temporary.iterdir()) == []
    return done.returncode, done.stdout, done.stderr


def test_a_bundle_stages_what_the_checkouts_installer_does(bundle: Path, tmp_path: Path) -> None:
    code, said, wrong = opened(bundle, tmp_path, "--destdir", str(tmp_path / "root"))
    assert (code, wrong) == (0, "")
    for source, path in steps.FILES:
        assert (tmp_path / "root" / path).read_bytes() == (SYSTEMD / source).read_bytes()
        assert f"done        /{path}\n" in said
    assert "sudo sh cribpi-*.run --yes" in opened(bundle, tmp_path, "--help")[1].replace("\n  ", " ")


def test_the_same_files_make_the_same_bundle(bundle: Path, tmp_path: Path) -> None:
    ours = bundle.parent / "own" / "cribpi-0.1.0-py3-none-any.whl"
    again = make.write(tmp_path, "x86_64", packed(ours), ABOUT)
    assert (again.name, again.read_bytes()) == ("cribpi-0.1.0-x86_64.run", bundle.read_bytes())


def test_a_bundle_holds_the_installer_and_a_list_with_checksums_for_each_python(bundle: Path) -> None:
    ours = bundle.parent / "own" / "cribpi-0.1.0-py3-none-any.whl"
    with tarfile.open(fileobj=BytesIO(make.payload({"cp311": [ours]}, CHECKOUT, ABOUT))) as archive:
        held = {one.name: archive.extractfile(one) for one in archive.getmembers()}
        assert {f"systemd/{path.name}" for path in SYSTEMD.iterdir() if path.is_file()} < held.keys()
        assert {"LICENSE", "CHANGELOG.md", "constraints.txt", f"wheels/{ours.name}"} < held.keys()
        listed = held["wheels/cp311.txt"]
        assert listed is not None
        assert re.fullmatch(r"cribpi==0\.1\.0 --hash=sha256:[0-9a-f]{64}\n", listed.read().decode())


def one_byte_else(data: bytes) -> bytes:
    return data[:-2000] + bytes([data[-2000] ^ 1]) + data[-1999:]


@pytest.mark.parametrize(
    "spoil",
    [one_byte_else, lambda data: data[:-1], lambda data: data[: len(data) // 2]],
    ids=["a byte", "one short", "half"],
)
def test_a_damaged_bundle_is_refused_in_a_sentence(
    spoil: Callable[[bytes], bytes], bundle: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.run"
    bad.write_bytes(spoil(bundle.read_bytes()))
    code, said, wrong = opened(bad, tmp_path, "--destdir", str(tmp_path / "root"))
    assert (code, said, wrong) == (2, "", f"install: {bad} is damaged or incomplete; copy it again\n")
    assert not (tmp_path / "root").exists()


@needs_openssh
def test_a_signature_at_its_end_is_read_by_the_program_and_no_matter_to_the_shell(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    key = make.signing_key()
    assert key.stat().st_mode & 0o077 == 0
    assert make.signing_key() == key, "made once"
    signed = tmp_path / "signed.run"
    signed.write_bytes(bundle.read_bytes())
    signature.sign(signed, key)
    assert opened(signed, tmp_path, "--destdir", str(tmp_path / "root"))[0] == 0
    trusts = tmp_path / "machine" / signature.SIGNERS
    trusts.parent.mkdir(parents=True)
    trusts.write_text(signature.allowed_signers(make.public(key).read_text(encoding="utf-8")))
    with signature.verified(signed, tmp_path / "machine") as found:
        assert found.read() == bundle.read_bytes()
        file = found.fileno()
        staged = ("sh", f"/proc/self/fd/{file}", "--destdir", str(tmp_path / "again"))
        environ = {**os.environ, "PYTHON": str(tmp_path / "python"), "TMPDIR": str(tmp_path / "temporary")}
        done = subprocess.run(
            staged, env=environ, pass_fds=(file,), capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, ""), "as `cribpi update` has it run"
    assert (tmp_path / "again" / steps.UNIT).is_file()


def test_where_there_is_no_openssh_no_bundle_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(compiled.Refused, match="sudo apt install openssh-client"):
        make.signing_key()


@pytest.mark.parametrize(
    ("here", "says"),
    [
        ("x86_64-linux-gnu 3.12", "this bundle is for Python 3.11 3.13, and this system has 3.12"),
        ("x86_64-linux-gnu 3.9", "and this system has 3.9"),
        ("arm-linux-gnueabihf 3.11", "for arm-linux-gnueabihf; a Pi needs the 64-bit Raspberry Pi OS"),
    ],
)
def test_a_system_that_it_is_not_for_is_refused_in_a_sentence(
    here: str, says: str, bundle: Path, tmp_path: Path
) -> None:
    code, said, wrong = opened(bundle, tmp_path, "--destdir", str(tmp_path / "root"), here=here)
    assert (code, said, wrong.count("\n")) == (2, "", 1)
    assert says in wrong
    assert not (tmp_path / "root").exists()


# --- the installer in a bundle ---


@pytest.fixture
def in_a_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the installer have come in a bundle; return the list of its wheels."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setattr(bundled, "WHEELS", folder)
    monkeypatch.setattr(steps, "CHECKOUT", tmp_path)
    (tmp_path / "constraints.txt").touch()  # and no pyproject.toml
    listed = bundled.wheel_list()
    listed.write_text("cribpi==0.1.0 --hash=sha256:0\n", encoding="utf-8")
    (folder / "cribpi-0.1.0-py3-none-any.whl").touch()
    return listed


def test_the_first_bundle_that_is_run_by_hand_says_who_signs_the_next_ones(
    in_a_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundled, "CHECKOUT", in_a_bundle.parent)
    assert bundled.signers(tmp_path) == [], "it was made before bundles were signed"
    (in_a_bundle.parent / "allowed_signers").write_text(f"cribpi {PUBLIC}\n", encoding="utf-8")
    (step,) = bundled.signers(tmp_path)
    assert (step.name.split()[-1:], step.is_done()) == (signature.fingerprints(PUBLIC), False)
    step.do()
    there = tmp_path / signature.SIGNERS
    assert there.read_text(encoding="utf-8") == f"cribpi {PUBLIC}\n"
    there.write_text("mine\n", encoding="utf-8")
    (step,) = bundled.signers(tmp_path)
    assert step.is_done(), "nobody comes to be trusted by an update"


def test_nothing_is_asked_of_apt_and_what_is_missing_is_said_in_a_sentence(
    in_a_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert in_a_bundle.is_file()
    monkeypatch.setattr(debian, "update", lambda: pytest.fail("apt was asked"))
    monkeypatch.setattr(debian, "missing", lambda _packages: ["python3-venv", "polkitd"])
    with pytest.raises(steps.Failed) as failed:
        debian.packages().do()
    assert str(failed.value) == (
        "python3-venv polkitd: not installed, and a bundle brings only what Python needs; "
        "connect the Pi once, `sudo apt install python3-venv polkitd`, then try again"
    )


def test_a_bundle_brings_what_the_checkouts_installer_builds_or_gets_by_apt(in_a_bundle: Path) -> None:
    in_a_bundle.write_text("lgpio==0.2.2.0 --hash=sha256:0\nrpi-ws281x==5.0.0 --hash=sha256:0\n", "utf-8")
    names = [step.name for step in install.all_steps(in_a_bundle, load_kit("table"), SoundConfig())]
    assert not [name for name in names if "lgpio" in name or "rpi-ws281x" in name]
    assert f"/{slots.VENV}: the program" in names


def test_one_that_was_made_without_a_compiler_says_what_the_pi_needs_instead(
    in_a_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "missing", list)
    kit = load_kit("table")
    (step,) = (one for one in install.all_steps(in_a_bundle, kit, SoundConfig()) if "lgpio" in one.name)
    with pytest.raises(steps.Failed, match="connect the Pi once, `sudo apt install python3-lgpio`"):
        step.do()
    pwm = replace(kit, strip=replace(kit.strip, gpio=18))
    (step,) = (one for one in install.all_steps(in_a_bundle, pwm, SoundConfig()) if "strip" in one.name)
    assert not step.is_done()
    with pytest.raises(steps.Left, match="made without rpi-ws281x: the strip on GPIO 18 stays"):
        step.do()


def test_pip_takes_the_wheels_of_the_list_alone_and_the_program_in_any_case(
    in_a_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def run(*words: str | Path, remedy: str) -> None:
        assert remedy
        ran.append(" ".join(map(str, words)))
        if "venv" in words:
            Path(words[-1]).mkdir(parents=True)

    monkeypatch.setattr(steps, "run", run)
    step = steps.program(in_a_bundle, tmp_path)
    step.do()
    _venv, first, second = ran
    for line in (first, second):
        assert f"--no-index --find-links {in_a_bundle.parent} " in line
        assert "constraints" not in line
    assert first.endswith(f"--require-hashes -r {in_a_bundle}")
    assert second.endswith(f"--force-reinstall --no-deps {in_a_bundle.parent}/cribpi-0.1.0-py3-none-any.whl")
    slots.switch(tmp_path, tmp_path / slots.SLOTS[0])
    stamp = tmp_path / steps.STAMP
    kept = stamp.read_text(encoding="utf-8")
    in_a_bundle.write_text("cribpi==0.1.0 --hash=sha256:1\n", encoding="utf-8")
    assert steps.fingerprint(in_a_bundle) != kept, "another wheel is an upgrade"
    assert installed.again(tmp_path, "phones") == "sudo sh cribpi-*.run --phones"
    stamp.write_text("0123abcd for Python 3.13\n", encoding="utf-8")
    assert installed.again(tmp_path, "phones") == "sudo make phones"


def test_what_is_added_to_the_command_is_said_as_it_is_added(
    in_a_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bundled.argument("--now") == "--now"
    monkeypatch.setattr(bundled, "WHEELS", in_a_bundle)  # no folder, as in a checkout
    assert bundled.argument("--now") == "ARGS=--now"


# --- the page, and the long run ---


def test_the_page_names_the_file_and_the_pythons_that_the_bundle_is_for() -> None:
    text = pages.section(pages.read(pages.DOCS / "how-to" / "install.md"), "## Install without a network")
    version = re.search(
        r'^version = "(.+)"', (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert version
    assert f"cribpi-{version[1]}-aarch64.run" in text
    for target in (PI_311, PI_313):
        assert f"{target.suite.capitalize()} (Python {target.version})" in text
    for package in debian.PACKAGES:
        assert f"`{package}`" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--folder"], "--folder wants a folder"),
        (["armv7-bookworm"], "armv7-bookworm is not one of x86_64-bookworm, x86_64-trixie, aarch64-b"),
    ],
)
def test_a_run_that_cannot_be_is_refused_in_a_sentence(arguments: list[str], says: str) -> None:
    refused = subprocess.run([str(RUN), *arguments], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.startswith(f"tests/bundle/run: {says}")
