"""A Mosquitto broker on loopback, and a listener that records its messages."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from support.patience import PATIENCE

PROGRAM: Final = shutil.which("mosquitto") or next(iter(Path("/usr/sbin").glob("mosquitto")), None)

needs_broker: Final = pytest.mark.skipif(
    PROGRAM is None, reason="no mosquitto here, so MQTT was not tested; install the package mosquitto"
)


def _has_ipv6() -> bool:
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


needs_ipv6: Final = pytest.mark.skipif(not _has_ipv6(), reason="no IPv6 here, so it was not tested")


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


class Mosquitto:
    """A broker with its settings in *folder*. It can be killed and restarted, and keeps its stored data."""

    def __init__(self, folder: Path, *more: str, anonymous: bool = True) -> None:
        self.port = free_port()
        self.folder = folder
        self._file = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        lines = [
            f"listener {self.port} 127.0.0.1",
            f"allow_anonymous {str(anonymous).lower()}",
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 1",
            "user root",
            *more,
        ]
        self._file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([str(PROGRAM), "-c", str(self._file)], stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.02)
        raise AssertionError(self._log.read_text(encoding="utf-8"))

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None

    def stop(self) -> None:
        if self._process is not None:
            for _ in range(round(PATIENCE)):
                self._process.terminate()  # repeated, because it ignores a signal while it starts
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(1)
                    break
            self._process = None


def certificates(folder: Path) -> None:
    """Create a certificate authority, and a certificate for 127.0.0.1 signed by it."""

    def run(*command: object) -> None:
        subprocess.run([str(one) for one in command], check=True, capture_output=True, cwd=folder)

    new = ("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-batch")
    # Python 3.13 requires the key usage and the issuer's key id in certificates.
    may = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")
    run(*new, "-x509", "-days", 2, "-subj", "/CN=house", *may, "-keyout", "ca.key", "-out", "ca.pem")
    run(*new, "-subj", "/CN=127.0.0.1", "-keyout", "broker.key", "-out", "broker.csr")
    names = "subjectAltName=IP:127.0.0.1\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n"
    (folder / "names").write_text(names, encoding="ascii")
    signed = ("openssl", "x509", "-req", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", 2)
    run(*signed, "-in", "broker.csr", "-out", "broker.pem", "-extfile", "names")


@contextmanager
def mosquitto(folder: Path, *more: str, anonymous: bool = True) -> Iterator[Mosquitto]:
    """Run a broker. *more* are further lines of settings."""
    broker = Mosquitto(folder, *more, anonymous=anonymous)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


class Listener:
    """Records every message of a broker since its session began, also those sent while it was away."""

    def __init__(self, port: int, user: str = "", password: str = "", name: str = "listener") -> None:
        from paho.mqtt import client as mqtt  # noqa: PLC0415  skipped where it is missing
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415  as above
        from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415  as above
        from paho.mqtt.properties import Properties  # noqa: PLC0415  as above

        self.heard: list[tuple[str, bytes, bool]] = []
        self._subscribed = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv5)
        if user:
            self._client.username_pw_set(user, password)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.on_message = lambda _client, _data, one: self.heard.append(
            (one.topic, bytes(one.payload), one.retain)
        )
        kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        kept.SessionExpiryInterval = 3600
        self._client.connect("127.0.0.1", port, clean_start=False, properties=kept)
        self._client.loop_start()
        assert self._subscribed.wait(PATIENCE)

    def say(self, topic: str, text: str, *, retain: bool = False) -> None:
        self._client.publish(topic, text, qos=1, retain=retain).wait_for_publish(PATIENCE)

    def of(self, topic: str) -> list[Any]:
        """Return the messages received on *topic*, parsed as JSON."""
        return [json.loads(text) for where, text, _ in list(self.heard) if where == topic and text]

    def wait(self, topic: str, many: int, seconds: float = PATIENCE) -> list[Any]:
        """Wait for *many* messages on *topic*."""
        until = time.monotonic() + seconds
        while len(found := self.of(topic)) < many and time.monotonic() < until:
            time.sleep(0.02)
        return found

    def until(self, topic: str, key: str, value: object, seconds: float = PATIENCE) -> list[Any]:
        """Wait for a message on *topic* in which *key* is *value*."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = self.of(topic)
            if any(isinstance(one, dict) and one.get(key) == value for one in found):
                return found
            time.sleep(0.02)
        raise AssertionError(f"no {key} {value!r} in {self.of(topic)[-3:]}")

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def listening(
    broker: Mosquitto, user: str = "", password: str = "", name: str = "listener"
) -> Iterator[Listener]:
    listener = Listener(broker.port, user, password, name)
    try:
        yield listener
    finally:
        listener.close()
