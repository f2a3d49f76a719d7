"""The door, knocked at over a real socket."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import socket
import threading
from collections.abc import Mapping

import httpx
import pytest
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import THREE
from PIL import Image

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import ChangeNextGame, Name, Peg
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.web.guard import refusal
from cribpi.companion.web.server import PageServer, PortTaken
from cribpi.cribbage.analysis import winning
from cribpi.cribbage.analysis.tables import TablesError
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import State

HOSTS = [
    # host                    refused  why
    ("127.0.0.1", False, "this machine"),
    ("127.0.0.1:8121", False, "with its port"),
    ("localhost:9", False, "with any port"),
    ("LocalHost", False, "names have no case"),
    ("[::1]:8121", False, "this machine, the other way"),
    ("cribbage.example", True, "a name that someone has pointed here"),
    ("localhost.example", True, "a name that begins like ours"),
    ("127.0.0.1.example:8121", True, "another"),
    ("127.0.0.1@example", True, "a user's name"),
    ("127.0.0.2", True, "this machine too, but by no name of ours"),
    ("10.0.0.5", True, "a machine elsewhere"),
    ("localhost:", True, "a port that is none"),
    ("localhost:80a", True, "another"),
    ("", True, "nothing"),
]

ORIGINS = [
    ("http://127.0.0.1:8121", False, "the page itself"),
    ("http://127.0.0.1:8122", True, "another port is another page"),
    ("http://127.0.0.1", True, "so is none"),
    ("https://127.0.0.1:8121", True, "so is another scheme"),
    ("http://localhost:8121", True, "another of our names is another origin"),
    ("null", True, "a page out of a file or a frame"),
    ("http://cribbage.example", True, "a page elsewhere"),
]


@pytest.mark.parametrize(("host", "is_refused", "why"), HOSTS)
def test_only_this_machines_own_names_are_answered(*, host: str, is_refused: bool, why: str) -> None:
    found = refusal([host], [])
    assert (found is not None) == is_refused, why
    assert found is None or found[0] == 421


@pytest.mark.parametrize(("origin", "is_refused", "why"), ORIGINS)
def test_an_origin_must_match_the_host(*, origin: str, is_refused: bool, why: str) -> None:
    found = refusal(["127.0.0.1:8121"], [origin])
    assert (found is not None) == is_refused, why
    assert found is None or found[0] == 403


@pytest.mark.parametrize(
    "origins",
    [
        ["http://127.0.0.1:8121", "http://cribbage.example"],
        ["http://cribbage.example", "http://127.0.0.1:8121"],
        ["http://127.0.0.1:8121", "http://127.0.0.1:8121", "http://cribbage.example"],
    ],
)
def test_every_origin_that_is_sent_must_match_and_the_foreign_one_is_named(origins: list[str]) -> None:
    found = refusal(["127.0.0.1:8121"], origins)
    assert found is not None
    assert found[0] == 403
    assert "a page from http://cribbage.example can't use this one" in found[1]


def test_two_hosts_are_refused_even_if_both_are_ours() -> None:
    assert refusal(["127.0.0.1", "127.0.0.1"], []) is not None


def test_a_second_origin_behind_our_own_presses_nothing(
    client: httpx.Client, server: PageServer, companion: RehearsedClient
) -> None:
    own = ("Origin", server.url.rstrip("/"))
    foreign = ("Origin", "http://cribbage.example")
    for origins, status in (([own], 200), ([own, foreign], 403), ([foreign, own], 403)):
        answer = client.post("/api/press", json={"key": "7"}, headers=origins)
        assert answer.status_code == status
    assert companion.pressed == ["7"]


def test_a_foreign_request_is_refused_before_anything_is_pressed(
    client: httpx.Client,
    companion: RehearsedClient,
) -> None:
    for headers in ({"Host": "cribbage.example"}, {"Origin": "http://cribbage.example"}):
        answer = client.post("/api/press", json={"key": "7"}, headers=headers)
        assert answer.status_code in {403, 421}
        assert answer.json()["error"]
    assert companion.pressed == []


def test_a_press_is_answered_with_the_new_state(client: httpx.Client, companion: RehearsedClient) -> None:
    answer = client.post("/api/press", json={"key": "7", "id": "one"})
    assert (answer.status_code, answer.json()) == (200, companion.state())
    assert companion.pressed == ["7"]


def test_a_refused_press_is_answered_with_a_sentence(
    client: httpx.Client, companion: RehearsedClient
) -> None:
    answer = client.post("/api/press", json={"key": "OK"})
    assert answer.status_code == 409
    assert "BLUE to play" in answer.json()["error"]
    assert companion.pressed == []


def test_the_same_id_presses_once(client: httpx.Client, companion: RehearsedClient) -> None:
    first, again = (client.post("/api/press", json={"key": "7", "id": "one"}) for _ in range(2))
    assert first.json() == again.json()
    assert companion.pressed == ["7"]


def test_what_is_no_key_never_reaches_the_table(client: httpx.Client, companion: RehearsedClient) -> None:
    for body in (b'{"key": "Z"}', b"{", b"[]", b'{"key": 7}'):
        answer = client.post("/api/press", content=body)
        assert answer.status_code == 422
        assert answer.json()["error"]
    assert companion.pressed == []


def test_a_body_too_large_is_refused(client: httpx.Client, companion: RehearsedClient) -> None:
    answer = client.post("/api/press", content=b'{"key": "7", "id": "' + b"x" * 100_000 + b'"}')
    assert answer.status_code == 422
    assert "4096 bytes" in answer.json()["error"]
    assert companion.pressed == []


def test_rules_are_asked_for_and_set_up_at_one_path(client: httpx.Client, companion: RehearsedClient) -> None:
    rules = client.get("/api/rules")
    assert (rules.status_code, rules.json()) == (200, companion.rules())
    asked = {"rules": "lowe", "players": 3, "entry": "peg", "options": {"heels": "none"}}
    answer = client.post("/api/rules", json=asked | {"id": "r"})
    assert (answer.status_code, answer.json()) == (200, companion.state())
    assert client.post("/api/rules", json=asked | {"id": "r"}).json() == answer.json()
    assert companion.asked == [
        ChangeNextGame(Changes(rules="lowe", players=3, options={"heels": "none"}, entry="peg"))
    ]
    assert client.get("/api/rules").json()["setup"]["options"] == {"heels": "none"}
    refused = client.post("/api/rules", json={"options": {"double_skunk": "on", "skunk": "off"}})
    assert refused.status_code == 409
    assert "double_skunk=off" in refused.json()["error"]
    assert client.post("/api/rules", json={"players": "3"}).status_code == 422


def test_pegs_and_names_are_passed_on(client: httpx.Client, companion: RehearsedClient) -> None:
    companion.change(THREE)
    assert client.post("/api/peg", json={"side": 0, "kind": "pair-royal"}).status_code == 200
    assert client.post("/api/names", json={"names": ["Ann", "Bob", "Cat"], "id": "n"}).status_code == 200
    assert companion.asked == [Peg(0, Kind.PAIR_ROYAL), Name(("Ann", "Bob", "Cat"))]


def test_the_kit_is_described_in_millimetres(client: httpx.Client) -> None:
    kit, said = load_kit("table"), client.get("/api/kit").json()
    assert said["board"] == {"width": kit.board.width, "height": kit.board.height}
    assert [len(track["holes"]) for track in said["tracks"]] == [121, 121]
    assert said["keys"] == [list(row) for row in kit.keypad.keys]
    assert (said["leds"], said["colours"][0]) == (242, [255, 96, 0])
    first = kit.tracks[0].holes[0]
    assert said["tracks"][0]["holes"][0] == {"hole": first.hole, "led": first.led, "x": first.x, "y": first.y}


def test_the_glass_is_a_picture_and_the_strip_a_list_of_colours(
    client: httpx.Client,
    companion: RehearsedClient,
) -> None:
    glass = client.get("/api/oled.png")
    assert glass.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(glass.content)).size == (128, 64)
    strip = client.get("/api/strip").json()
    assert bytes(part for colour in strip for part in colour) == companion.strip()


def test_state_and_page_are_passed_on_as_they_are(client: httpx.Client, companion: RehearsedClient) -> None:
    assert client.get("/api/state").json() == companion.state()
    assert client.get("/api/page").json() == companion.page()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/page/../server.py", 404),
        ("GET", "/page/%2e%2e/server.py", 404),
        ("GET", "/page/", 404),
        ("GET", "/api/press", 405),
        ("POST", "/api/state", 405),
        ("DELETE", "/", 405),
        ("POST", "/api/events", 405),
    ],
)
def test_a_wrong_path_or_method_is_answered_in_json(
    client: httpx.Client,
    method: str,
    path: str,
    status: int,
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_every_answer_carries_the_safety_headers(client: httpx.Client, companion: RehearsedClient) -> None:
    paths = (
        "/page/base.css",
        "/page/app.js",
        "/",
        "/api/state",
        "/api/oled.png",
        "/api/strip",
        "/nothing",
    )
    answers = [client.get(path) for path in paths]
    answers.append(client.get(paths[0], headers={"If-None-Match": answers[0].headers["etag"]}))
    answers.append(client.delete("/"))
    answers.append(client.post("/api/press", json={"key": "Z"}))
    answers.append(client.get("/", headers={"Host": "cribbage.example"}))
    answers.append(client.get("/", headers={"Origin": "http://cribbage.example"}))
    with client.stream("GET", "/api/events") as events:
        answers.append(events)
    companion.broken = True
    answers.append(client.post("/api/press", json={"key": "7"}))
    statuses = [200, 200, 200, 200, 200, 200, 404, 304, 405, 422, 421, 403, 200, 500]
    assert [answer.status_code for answer in answers] == statuses
    for answer in answers:
        assert_safe(answer.headers, *(scripts_in(answer.text) if answer is answers[2] else ()))
    assert [answer.headers["cache-control"] for answer in answers[:3]] == ["no-cache", "no-cache", "no-store"]


def scripts_in(page: str) -> list[str]:
    """Return what a browser runs that stands in *page* itself: where its modules are, and a script."""
    found = re.findall('<script(?: type="importmap")?>(.*?)</script>', page, re.DOTALL)
    assert len(found) == 2
    return found


def assert_safe(headers: Mapping[str, str], *scripts: str) -> None:
    """Check that a browser neither frames an answer with *headers*, nor runs, loads or sends anything foreign.

    Beside the page's own files it runs the *scripts*.
    """
    ours = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    runs = {"script-src": " ".join(["'self'", *(f"'sha256-{one}'" for one in ours)])} if ours else {}
    policy = dict(rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";"))
    assert policy == {
        "default-src": "'self'",
        "img-src": "'self' data:",
        "frame-ancestors": "'none'",
        "form-action": "'none'",
        "base-uri": "'none'",
        **runs,
    }
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def raw_answer(server: PageServer, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send *request* as it is; return the status, headers and body of all that comes until the line is
    closed."""
    with socket.create_connection(("127.0.0.1", server.port), 20) as line:
        line.sendall(request)
        head, _, body = b"".join(iter(lambda: line.recv(4096), b"")).partition(b"\r\n\r\n")
    status, *headers = head.decode().split("\r\n")
    pairs = (header.split(": ", 1) for header in headers)
    return int(status.split()[1]), {name.lower(): value for name, value in pairs}, body


@pytest.mark.parametrize(
    "request_line", [b"no request at all", b"GET  HTTP/1.1", b"\x16\x03\x01 a TLS hello"]
)
def test_what_is_not_http_is_answered_in_json_with_the_safety_headers(
    server: PageServer, request_line: bytes
) -> None:
    status, headers, body = raw_answer(server, request_line + b"\r\nHost: 127.0.0.1\r\n\r\n")
    assert status == 400
    assert_safe(headers)
    assert headers["content-type"] == "application/json"
    assert "not an HTTP request" in json.loads(body)["error"]


def test_a_table_that_breaks_is_answered_with_a_sentence_and_the_door_stays_open(
    client: httpx.Client,
    companion: RehearsedClient,
) -> None:
    companion.broken = True
    answer = client.post("/api/press", json={"key": "7"})
    assert (answer.status_code, "not answered" in answer.json()["error"]) == (500, True)
    companion.broken = False
    again = httpx.post(f"{client.base_url}api/press", json={"key": "7"}, trust_env=False)
    assert again.status_code == 200


def test_a_file_that_the_browser_has_is_not_sent_again(client: httpx.Client) -> None:
    first = client.get("/page/table.css")
    again = client.get("/page/table.css", headers={"If-None-Match": first.headers["etag"]})
    other = client.get("/page/table.css", headers={"If-None-Match": '"another"'})
    assert (first.status_code, again.status_code, other.status_code) == (200, 304, 200)
    assert again.content == b""


def test_where_the_device_was_before_leads_to_where_it_is(client: httpx.Client) -> None:
    answer = client.get("/device")
    assert (answer.status_code, answer.headers["location"]) == (307, "/#device")
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_client_that_goes_does_not_take_its_press_back(
    server: PageServer,
    companion: RehearsedClient,
    client: httpx.Client,
) -> None:
    companion.held = []
    body = b'{"key": "7", "id": "gone"}'
    head = f"POST /api/press HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head.encode() + body)
        # The second press comes behind the first in the table's queue, so that both are there.
        other = threading.Thread(target=client.post, args=("/api/press",), kwargs={"json": {"key": "8"}})
        other.start()
        while len(companion.held) < 2:
            threading.Event().wait(0.01)
    companion.let_go()
    other.join()
    assert sorted(companion.pressed) == ["7", "8"]
    again = client.post("/api/press", json={"key": "7", "id": "gone"})
    assert again.status_code == 200
    assert sorted(companion.pressed) == ["7", "8"]


def test_a_port_that_is_taken_is_named_with_the_option_for_another(
    server: PageServer,
    companion: RehearsedClient,
) -> None:
    with pytest.raises(PortTaken, match=rf"port {server.port} is taken.* --port"):
        PageServer(companion, server.port)


def test_a_port_that_is_none_is_refused_in_the_same_way(companion: RehearsedClient) -> None:
    with pytest.raises(PortTaken, match=r"70000 is not a port.* --port"):
        PageServer(companion, 70_000)


def test_the_server_listens_on_loopback_only(server: PageServer) -> None:
    assert server._sockets[0].getsockname()[0] == "127.0.0.1"


def test_after_stopping_the_port_is_free_and_nobody_listens_to_the_companion(
    companion: RehearsedClient,
) -> None:
    before = set(threading.enumerate())
    server = PageServer(companion, 0)
    server.start()
    with httpx.stream("GET", f"{server.url}api/events", trust_env=False) as told:
        lines = told.iter_lines()  # let go of, it would end the connection
        next(lines)
        assert companion.listeners == 1
        server.stop()
    assert companion.listeners == 0
    PageServer(companion, server.port).stop()
    assert set(threading.enumerate()) <= before


def test_the_answer_of_the_table_is_passed_on_whatever_it_is(
    client: httpx.Client,
    companion: RehearsedClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fill(*_: object, **_by_name: object) -> None:
        raise JournalTrouble("the disk is full; nothing was pressed")

    monkeypatch.setattr(companion.rehearsal.journal, "commit", fill)
    answer = client.post("/api/press", json={"key": "7", "id": "full"})
    assert (answer.status_code, answer.json()) == (409, {"error": "the disk is full; nothing was pressed"})


def test_the_chances_are_told_to_who_asks_and_a_missing_table_is_a_sentence(
    client: httpx.Client, companion: RehearsedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = client.get("/api/chances").json()
    assert answer["seq"] == companion.seq
    assert sum(answer["chances"]) == pytest.approx(1)
    companion.change(THREE)
    assert client.get("/api/chances").json()["chances"] is None

    def missing(_: State) -> None:
        raise TablesError("winning-2.npz is missing; make it again")

    monkeypatch.setattr(winning, "chances_now", missing)
    refused = client.get("/api/chances")
    assert refused.status_code == 409
    assert refused.json() == {
        "error": "the chances of winning are not known (winning-2.npz is missing; make it again)"
    }
