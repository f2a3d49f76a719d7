"""The doctor says whether the broker lets the board in, and what to do if not."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.broker import Mosquitto, certificates, free_port, listening, mosquitto, needs_broker

from cribpi.companion.devices.health import Problem
from cribpi.companion.doctor.checkup import check_all
from cribpi.companion.doctor.house import check_broker
from cribpi.companion.doctor.machine import MachineFiles, Verdict
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.run.bootstrap import twin_chips
from cribpi.companion.run.config import Config

needs_paho = pytest.mark.skipif(find_spec("paho") is None, reason="the extra mqtt is not installed")
pytestmark = [needs_broker, needs_paho]

NO_USER = Problem(
    "AT: it does not let this board in", "check user and password_file in [mqtt], and its access list"
)
HANGS_UP = Problem(
    "AT: it hangs up without an answer",
    "check whether it is full, and whether its port expects TLS (tls in [mqtt])",
)
REMEDY = "check that it runs, and see host, port and tls in [mqtt]"


def found(port: int, **more: Any) -> Verdict:  # noqa: ANN401  settings
    """Return what is found of a broker at *port*, with AT for its address."""
    verdict = check_broker(Broker(host="127.0.0.1", port=port, board="oak", **more), 1.0)
    at = f"127.0.0.1:{port}"
    if isinstance(verdict, Problem):
        return Problem(verdict.says.replace(at, "AT"), verdict.remedy)
    return verdict.replace(at, "AT")


def test_nothing_is_said_without_a_broker_and_a_line_with_one(tmp_path: Path) -> None:
    kit = load_kit("bonnet")

    def lines(config: Config) -> dict[str, bool]:
        machine = MachineFiles(tmp_path, "ann", frozenset())
        return {one.name: one.is_well for one in check_all(twin_chips(kit), kit, tmp_path, config, machine)}

    assert "broker" not in lines(Config(port=0))
    away = Broker(host="127.0.0.1", port=free_port())
    assert lines(Config(port=0, mqtt=away))["broker"] is False


def test_a_board_that_is_let_in_disturbs_nobody(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, listening(broker) as listener:
        assert found(broker.port) == "AT lets oak in"
        time.sleep(0.1)
        assert not listener.heard, "nothing is told to the broker"


def test_a_broker_that_is_not_there(tmp_path: Path) -> None:
    assert found(free_port()) == Problem("AT: it can't be reached (Connection refused)", REMEDY)
    says = found(1, user="oak", password_file=f"{tmp_path}/none")
    assert says == Problem(f"AT: {tmp_path}/none can't be read (No such file or directory)", REMEDY)


def test_an_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.enums", None)
    assert found(1) == Problem("AT: cribpi's mqtt extra is missing", "install paho-mqtt 2.1 or newer")


def test_a_password_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "users").touch(mode=0o600)
    subprocess.run(["mosquitto_passwd", "-b", tmp_path / "users", "oak", "right"], check=True)
    password = tmp_path / "password"
    with mosquitto(tmp_path, f"password_file {tmp_path}/users", anonymous=False) as broker:
        assert found(broker.port) == NO_USER
        for words, verdict in (("wrong", NO_USER), ("right", "AT lets oak in")):
            password.write_text(f"{words}\n")
            assert found(broker.port, user="oak", password_file=str(password)) == verdict


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho's line
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here, so TLS was not tested")
def test_trouble_with_tls(tmp_path: Path) -> None:
    certificates(tmp_path)
    secured, port = Mosquitto(tmp_path), free_port()
    with (tmp_path / "mosquitto.conf").open("a", encoding="utf-8") as conf:
        conf.write(
            f"listener {port} 127.0.0.1\ncertfile {tmp_path}/broker.pem\nkeyfile {tmp_path}/broker.key\n"
        )
    secured.start()
    try:
        assert found(port, ca=f"{tmp_path}/ca.pem") == "AT lets oak in"
        distrusted = found(port, tls=True)
        assert isinstance(distrusted, Problem)
        assert distrusted.says.startswith("AT: its certificate can't be trusted (")
        assert distrusted.remedy == "check ca in [mqtt], and write host as in the certificate"
        assert found(port) == HANGS_UP, "it wants TLS"
        without = found(secured.port, tls=True)
        assert isinstance(without, Problem)
        assert without.remedy in {"check port in [mqtt]", REMEDY}
    finally:
        secured.stop()


@contextmanager
def answering(answer: bytes | None) -> Iterator[int]:
    """Run something at the port returned that answers with these bytes, or never."""
    server = socket.create_server(("127.0.0.1", 0))
    lines = []

    def serve() -> None:
        with suppress(OSError):
            line, _ = server.accept()
            lines.append(line)
            line.recv(4096)
            if answer is not None:
                line.sendall(answer)
                line.close()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield server.getsockname()[1]
    finally:
        for line in (server, *lines):
            line.close()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "AT: it does not answer"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "AT: it hangs up without an answer"),
        (b"\x20\x03\x00\x84\x00", "AT: it does not speak MQTT 5"),
        (b"\x20\x02\x00\x01", "AT: it does not speak MQTT 5"),
        (b"\x20\xff\xff\xff\xff\xff", "AT: it hangs up without an answer"),
    ],
)
def test_what_is_no_broker_of_this_version(answer: bytes | None, says: str) -> None:
    with answering(answer) as port:
        verdict = found(port)
    assert isinstance(verdict, Problem)
    assert verdict.says == says
