"""OpenSSH signatures of bundles (`ssh-keygen -Y`), and the keys that this machine trusts."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from base64 import b64decode, b64encode
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO, Final

from cribpi.cribbage.rules.errors import UserError

SIGNERS: Final = "etc/cribpi/allowed_signers"
"""File of trusted keys, relative to the root. See "ALLOWED SIGNERS" in ssh-keygen(1)."""

_NAMESPACE: Final = "cribpi-bundle"
"""Namespace of the signature. OpenSSH rejects signatures made for other purposes, such as git commits."""
_WHO: Final = "cribpi"
_BEGIN: Final = b"-----BEGIN SSH SIGNATURE-----\n"
_END: Final = b"-----END SSH SIGNATURE-----\n"
_LONGEST: Final = 8192
"""Maximum size of a signature in bytes. The longest RSA key makes one of 3,000 bytes."""
_LARGEST: Final = 1 << 30
"""Maximum size of a bundle in bytes. A usual one has 51,000,000."""
_PIECE: Final = 1 << 20
_SECONDS: Final = 300.0
"""Timeout for OpenSSH in seconds. It needs a few seconds for a bundle on a Zero 2 W."""
_PUBLIC: Final = re.compile(r"(?<!\S)((?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+) ([A-Za-z0-9+/]{32,}={0,2})(?!\S)")
_FINGERPRINT: Final = re.compile(rb"SHA256:[A-Za-z0-9+/]{43}")


def fingerprints(keys: str) -> list[str]:
    """Return the SHA-256 fingerprints of all public keys in *keys*, the text of a .pub or signers file.

    >>> fingerprints(
    ...     "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl github.com"
    ... )
    ['SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU']
    """
    hashed = (sha256(b64decode(f"{key}==")).digest() for _, key in _PUBLIC.findall(keys))
    return [f"SHA256:{b64encode(digest).decode().rstrip('=')}" for digest in hashed]


def allowed_signers(keys: str) -> str:
    """Return an allowed_signers file for the public keys in *keys*.

    It trusts them for bundles and git commits.

    Raises:
        UserError: If *keys* has no public key.
    """
    lines = [f'{_WHO} namespaces="{_NAMESPACE},git" {kind} {key}\n' for kind, key in _PUBLIC.findall(keys)]
    if not lines:
        raise UserError("no public key of OpenSSH is in it: give a file such as bundle_key.pub")
    return "".join(lines)


def trusted(root: Path) -> list[str]:
    """Return the fingerprints of the keys that the machine below *root* trusts. Empty if it has no such file.

    Raises:
        UserError: If the file can't be read.
    """
    try:
        return fingerprints((root / SIGNERS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise UserError(f"{root / SIGNERS} can't be read ({error}): cribpi update --trust KEY.pub") from None


def sign(path: Path, key: Path) -> None:
    """Sign the file *path* with the private *key*, and append the signature to the file.

    Raises:
        UserError: If OpenSSH can't sign.
    """
    with path.open("rb") as file:
        done = _ssh_keygen(file, "-Y", "sign", "-q", "-n", _NAMESPACE, "-f", str(key))
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip() or "no reason given"
        raise UserError(f"{key} can't sign: {reason}")
    with path.open("ab") as file:
        file.write(done.stdout)


def verified(path: Path, root: Path) -> IO[bytes]:
    """Return the signed part of the file *path*. Its signer must be trusted by the machine below *root*.

    The result is an unnamed copy, so that it can't be changed between the check and its use.

    Raises:
        UserError: If the file is not signed, has changed since, or its key is not trusted.
        OSError: If the file can't be read, or there is no room for the copy.
    """
    with ExitStack() as until_known:
        # /tmp may be in memory, where a bundle needs too much room.
        folder = os.environ.get("TMPDIR", "/var/tmp")  # noqa: S108
        copy = until_known.enter_context(TemporaryFile(dir=folder))
        signature = until_known.enter_context(NamedTemporaryFile())
        signature.write(_copied(path, copy))
        signature.flush()
        words = ("-n", _NAMESPACE, "-s", signature.name)
        done = _ssh_keygen(copy, "-Y", "check-novalidate", *words)
        key = _FINGERPRINT.search(done.stdout)
        if done.returncode or key is None:
            raise UserError(f"{path} is damaged or changed, and not what was signed: copy it again")
        verify = ("-Y", "verify", "-I", _WHO, "-f", str(root / SIGNERS), *words)
        if not trusted(root) or _ssh_keygen(copy, *verify).returncode:
            raise UserError(
                f"{path} is signed with {key[0].decode()}, which is not trusted here: if that is its maker's "
                "key, sudo cribpi update --trust bundle_key.pub"
            )
        copy.seek(0)
        signature.close()
        until_known.pop_all()
    return copy


def _copied(path: Path, copy: IO[bytes]) -> bytes:
    """Copy the file *path* without its signature into *copy*. Return the signature."""
    # Non-blocking, because opening a pipe would wait for a writer.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise UserError(f"{path} is not a cribpi bundle: give another file")
        file.seek(max(status.st_size - _LONGEST, 0))
        end = file.read(_LONGEST)
        at = end.rfind(_BEGIN)
        if at < 0 or not end.endswith(_END):
            raise UserError(f"{path} is not signed, or not whole: copy it again, or make it with make bundle")
        remaining = max(status.st_size - _LONGEST, 0) + at
        file.seek(0)
        while remaining > 0 and (piece := file.read(min(remaining, _PIECE))):
            remaining -= copy.write(piece)
    return end[at:]


def _ssh_keygen(file: IO[bytes], *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run ssh-keygen with the arguments *words*. Its standard input is *file*, from the start.

    Raises:
        UserError: If ssh-keygen is not installed, or times out.
    """
    file.flush()
    os.lseek(file.fileno(), 0, os.SEEK_SET)
    try:
        return subprocess.run(  # noqa: S603  fixed words, and paths
            ("ssh-keygen", *words),  # noqa: S607  found on the PATH
            stdin=file, capture_output=True, check=False, timeout=_SECONDS, env=os.environ | {"LC_ALL": "C"},
        )  # fmt: skip
    except FileNotFoundError:
        raise UserError("ssh-keygen is not installed: sudo apt install openssh-client") from None
    except subprocess.TimeoutExpired:
        raise UserError(f"ssh-keygen gives no answer in {_SECONDS / 60:.0f} minutes: try again") from None
