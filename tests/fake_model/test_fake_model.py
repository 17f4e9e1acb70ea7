"""The fake model itself: an honest server with dishonest replies."""

import gc
import json
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from http.client import IncompleteRead, RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest

from tests.fake_model import (
    FakeModel,
    ScriptError,
    load_script,
    messages_of_chapter,
    parse_script,
    script_from_chapter,
)

HERE = Path(__file__).parent
SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def ask(fake: FakeModel, model: str = "iris", prompt: str = "hola", **params: Any) -> dict[str, Any]:
    """Send a chat completion request and return the answer's body."""
    body = {"model": model, "messages": [{"role": "user", "content": prompt}], **params}
    return json.loads(post(fake, body))


def post(fake: FakeModel, body: Any) -> str:
    """Send a body and return the answer's."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"{fake.url}/chat/completions", data, method="POST")
    with urllib.request.urlopen(request, timeout=5) as response:
        return response.read().decode()


def said(answer: dict[str, Any]) -> tuple[str, str]:
    """Return text and finish reason."""
    choice = answer["choices"][0]
    return choice["message"]["content"], choice["finish_reason"]


STEPS: list[tuple[Any, tuple[str, str], str]] = [
    ("Hola.", ("Hola.", "stop"), "a text"),
    ({"reply": "Hola."}, ("Hola.", "stop"), "a step"),
    ({}, ("", "stop"), "an empty answer"),
    ({"reply": "Hola.", "cut_at": 2}, ("Ho", "length"), "cut"),
    ({"reply": "Hola.", "cut_at": 2, "finish_reason": "stop"}, ("Ho", "stop"), "cut, not admitted"),
    ({"json": {"a": "ñ"}}, ('{"a": "ñ"}', "stop"), "data"),
    ({"json": {"a": 1}, "break_json": True}, ("{a: 1,}", "stop"), "broken"),
    ({"json": [1], "fences": 2}, ("```\n```json\n[1]\n```\n```", "stop"), "nested fences"),
    ({"reply": "x", "preamble": "Claro:"}, ("Claro:\n\nx", "stop"), "chatter"),
    ({"reply": "x", "think": "hm"}, ("<think>hm</think>\nx", "stop"), "reasoning"),
]


@pytest.mark.parametrize(("step", "expected", "why"), STEPS)
def test_steps(fake_model: FakeModel, step: Any, expected: tuple[str, str], why: str) -> None:
    """Each step says what it is told to."""
    fake_model.load({"models": {"iris": step}})
    assert said(ask(fake_model)) == expected, why


def test_the_rest_follows_a_cut(fake_model: FakeModel) -> None:
    """However often it is cut."""
    steps = [{"reply": "uno dos tres", "cut_at": 4}, {"rest": True, "cut_at": 4}, {"rest": True}]
    fake_model.load({"models": {"iris": steps}})
    assert "".join(said(ask(fake_model))[0] for _ in range(3)) == "uno dos tres"


def test_steps_are_chosen_by_order_use_and_prompt(fake_model: FakeModel) -> None:
    """`when` waits for its prompt, `times` counts, `repeat` stays."""
    steps = [
        {"reply": "b", "when": "BBB"},
        {"reply": "a", "times": 2},
        {"reply": "z", "repeat": True},
    ]
    fake_model.load({"models": {"iris": steps}})
    prompts = ["x", "x BBB", "BBB", "x", "x"]
    assert [said(ask(fake_model, prompt=p))[0] for p in prompts] == ["a", "b", "a", "z", "z"]


def test_a_script_that_runs_out_says_so(fake_model: FakeModel) -> None:
    """As an error that names the model; or the last step again, or the default."""
    fake_model.load({"models": {"iris": ["a"]}})
    ask(fake_model)
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(fake_model)
    with caught.value as answer:
        assert answer.code == 501
        assert "iris" in answer.read().decode()
    fake_model.load({"models": {"iris": ["a", "b"]}, "on_exhausted": "repeat_last"})
    assert [said(ask(fake_model))[0] for _ in range(3)] == ["a", "b", "b"]
    fake_model.load({"models": {"iris": ["a"]}, "default": "d"})
    assert [said(ask(fake_model, m))[0] for m in ("iris", "iris", "otro")] == ["a", "d", "d"]


def test_errors_have_status_and_header(fake_model: FakeModel) -> None:
    """429 with the wait it asks for."""
    fake_model.load({"models": {"iris": {"status": 429, "retry_after": 2.5, "reply": "despacio"}}})
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(fake_model)
    with caught.value as answer:
        assert (answer.code, answer.headers["Retry-After"]) == (429, "2.5")
        assert json.loads(answer.read())["error"]["message"] == "despacio"


@pytest.mark.parametrize("where", ["before", "midway"])
def test_dropped_connections(fake_model: FakeModel, where: str) -> None:
    """The line goes dead."""
    fake_model.load({"models": {"iris": [{"drop": where, "reply": "Hola"}, "bien"]}})
    with pytest.raises((RemoteDisconnected, IncompleteRead, ConnectionError)):
        ask(fake_model)
    assert said(ask(fake_model))[0] == "bien"


def test_a_stream_says_the_same(fake_model: FakeModel) -> None:
    """Piece by piece, with reason and usage at the end."""
    text = "ñandú " * 30
    fake_model.load({"models": {"iris": {"reply": text, "cut_at": 100}}})
    body: dict[str, Any] = {"model": "iris", "messages": [], "stream": True}
    lines = [line[6:] for line in post(fake_model, body).split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    chunks = [json.loads(line) for line in lines[:-1]]
    pieces = [c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]]
    assert "".join(pieces) == text[:100]
    assert [c["choices"][0]["finish_reason"] for c in chunks if c["choices"]][-1] == "length"
    assert chunks[-1]["usage"]["completion_tokens"] == 25


def test_everything_is_recorded(fake_model: FakeModel) -> None:
    """What was asked, and how much."""
    fake_model.load({"default": "ok"})
    ask(fake_model, "openai/iris", "x" * 40, temperature=0.5)
    ask(fake_model, "damian")
    (first,) = fake_model.of("iris")
    assert (first.last, first.params, first.tokens) == ("x" * 40, {"temperature": 0.5}, 10)
    with urllib.request.urlopen(f"{fake_model.url}/stats", timeout=5) as response:
        stats = json.load(response)
    assert stats["models"] == {"iris": 1, "damian": 1}
    assert stats["statuses"] == {"200": 2}
    with urllib.request.urlopen(f"{fake_model.url}/requests", timeout=5) as response:
        assert len(json.load(response)["requests"]) == 2


@pytest.mark.parametrize("body", [b"no json", b"[]", b'"x"', b"{}", b'{"model": "x", "messages": 3}'])
def test_nonsense_is_a_400(fake_model: FakeModel, body: bytes) -> None:
    """The server goes on."""
    fake_model.load({"default": "ok"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(fake_model, body)
    with caught.value as answer:
        assert answer.code == 400
    assert said(ask(fake_model))[0] == "ok"


@pytest.mark.parametrize(
    "script",
    [
        {"models": {"iris": [{"replay": "x"}]}},
        {"models": {"iris": [{"status": 9}]}},
        {"models": ["x"]},
        {"modelos": {}},
        {"models": {"iris": [3]}},
    ],
)
def test_a_misspelt_script_is_told(script: dict[str, Any]) -> None:
    """Before it plays."""
    with pytest.raises(ScriptError):
        parse_script(script)


@pytest.mark.parametrize("content", [b"", b"- x", b"a: [", b"\xff"])
def test_a_file_that_is_no_script_is_told(tmp_path: Path, content: bytes) -> None:
    """With its name."""
    path = tmp_path / "s.yaml"
    path.write_bytes(content)
    with pytest.raises(ScriptError) as caught:
        load_script(path)
    assert "s.yaml" in str(caught.value)


def test_the_sample_is_a_script_and_the_manual_names_every_key() -> None:
    """What users read is true."""
    script = load_script(HERE / "sample.yaml")
    assert set(script.models) == {"iris", "damian", "ruben"}
    manual = (HERE / "README.md").read_text(encoding="utf-8")
    step = script.models["iris"][0]
    for name, field in {**type(script).model_fields, **type(step).model_fields}.items():
        assert f"`{field.alias or name}" in manual, name


def test_it_runs_from_the_command_line() -> None:
    """It prints the address to export, and answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.fake_model", str(HERE / "sample.yaml"), "--port", str(port)]
    with subprocess.Popen(command, cwd=HERE.parents[1], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert f"OPENAI_API_BASE=http://127.0.0.1:{port}/v1" in first
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5) as response:
                assert {m["id"] for m in json.load(response)["data"]} >= {"iris", "damian"}
        finally:
            process.terminate()


def test_a_bad_script_is_exit_2() -> None:
    """One line, no traceback."""
    command = [sys.executable, "-m", "tests.fake_model", "no-such.yaml"]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


CHAPTER = """# Capítulo 2 · «La boya»

## Debate completo

### Iris Vela

### Capítulo 2 · Escena 2.1 — La barra
- LUGAR: La barra.
- SITUACIÓN INICIAL: La marea sube y el bo

### Damián Tachón

### Escena 2.1
- Acción: clara.

VEREDICTO: refinar

### Iris Vela

Todo corregido.

_Outcome: accepted_

# Capítulo 2 · Escena 2.1 — «La barra»
"""


def test_a_chapter_is_replayed_with_its_cuts() -> None:
    """Headings inside a message are its text; a cut is a `length`; its continuation follows it."""
    script = script_from_chapter(CHAPTER, rest={("iris", 0): "yero no responde."})
    cut, rest, last = script.models["iris"]
    assert cut.reply.endswith("y el bo")
    assert (cut.finish_reason, rest.reply, last.reply) == ("length", "yero no responde.", "Todo corregido.")
    (damian,) = script.models["damian"]
    assert damian.reply.startswith("### Escena 2.1")
    assert damian.finish_reason == "stop"


def test_a_text_without_debate_has_no_messages() -> None:
    """Nothing to replay."""
    assert messages_of_chapter("# Solo prosa\n\n### Iris Vela\n") == ()


@pytest.mark.parametrize(("name", "turns"), [("capitulo_04.es.md", 6), ("capitulo_05.es.md", 9)])
@pytest.mark.skipif(not SEEDS.is_dir(), reason="the user's own chapters are not beside this copy")
def test_the_seeds_debates_are_read(name: str, turns: int) -> None:
    """All turns in the order of the table, and those that break off are known as cut."""
    messages = messages_of_chapter((SEEDS / name).read_text(encoding="utf-8"))
    assert [agent for agent, _, _ in messages] == ["iris", "damian", "ruben"] * (turns // 3)
    assert all(text and not re.search(r"^_Outcome", text, re.MULTILINE) for _, text, _ in messages)
    assert messages[0][2], "Iris's first message is cut"
    assert not messages[2][2], "Rubén's first message is whole"


_POST = b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: "


def _request(model: str) -> bytes:
    body = json.dumps({"model": model, "messages": [{"role": "user", "content": "x"}]}).encode()
    return _POST + str(len(body)).encode() + b"\r\n\r\n" + body


OPEN_ENDS: list[tuple[bytes, str]] = [
    (b"", "a connection that says nothing"),
    (_POST, "half a head"),
    (_POST + b"900\r\n\r\n{", "half a body"),
    (_request("slow"), "an answer that is still awaited"),
    (_request("long"), "an answer that nobody reads to its end"),
]


@pytest.mark.parametrize(("sent", "why"), OPEN_ENDS, ids=[why for _, why in OPEN_ENDS])
def test_stopping_leaves_no_connection_open(sent: bytes, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unraised: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unraised.append)
    slow = {"reply": "y", "latency_ms": 60_000, "repeat": True}
    long = {"reply": "y" * 20_000_000, "repeat": True}
    with FakeModel({"models": {"slow": slow, "long": long}}) as fake:
        clients = [socket.create_connection(("127.0.0.1", fake.port)) for _ in range(5)]
        for client in clients:
            client.sendall(sent)
        if b"long" in sent:
            for client in clients:
                assert client.recv(1)
    gc.collect()
    for client in clients:
        client.close()
    assert not unraised, why
