"""The server: chat completions as JSON or as a stream, `/v1/models`, `/stats`, `/requests`, `/reset`."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast

from tests.fake_model.chaos import Chaos, Mischief, rest_of
from tests.fake_model.script import Player, Script, Step, parse_script

LONGEST_HEAD = 64 * 1024
STREAM_PIECE = 40
"""Characters in a piece of a stream."""


def estimate_tokens(text: str) -> int:
    """Return a rough number of tokens: a quarter of the characters, at least one where there are any."""
    return (len(text) + 3) // 4


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    model: str
    """Name without provider (`iris`)."""
    messages: tuple[dict[str, Any], ...]
    params: dict[str, Any]
    """All other fields of the body."""
    tokens: int
    """Estimate for the messages."""
    at: float
    """Seconds, on the monotonic clock."""
    key: str = ""
    """What came as the bearer's key."""

    @property
    def prompt(self) -> str:
        """All messages' texts, one after another."""
        return "\n".join(_content(m) for m in self.messages)

    @property
    def last(self) -> str:
        """Text of the last message."""
        return _content(self.messages[-1]) if self.messages else ""


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


@dataclass
class Stats:
    """What happened so far."""

    requests: int = 0
    in_flight: int = 0
    in_flight_max: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    statuses: dict[str, int] = field(default_factory=dict[str, int])
    models: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class _Answer:
    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict[str, str])


def _error(status: int, message: str, kind: str = "fake_model") -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "code": str(status)}}


_ENDS_OF_A_CONNECTION = (
    ConnectionError,
    asyncio.IncompleteReadError,
    asyncio.LimitOverrunError,
    asyncio.CancelledError,  # the server stops
)
_STEPS_TO_END = 200
"""Steps of the loop that connections get to end; each needs a handful."""


class FakeModel:
    """A scripted model. Use it as a context manager: a thread of its own serves while the block runs."""

    def __init__(self, script: Mapping[str, Any] | Script | None = None, *, port: int = 0) -> None:
        self.port = port
        self.requests: list[Received] = []
        """Every chat completion request, in order of arrival."""
        self.stats = Stats()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._connections: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self.load(script or {})

    def load(self, script: Mapping[str, Any] | Script) -> None:
        """Play another script from its beginning, and forget the requests so far."""
        self.script = parse_script(script)
        self._players = {name: Player(steps) for name, steps in self.script.models.items()}
        chaos = self.script.chaos
        self._mischief = Mischief(Chaos.model_validate(chaos)) if chaos else None
        self.requests = []
        self.stats = Stats()

    @property
    def url(self) -> str:
        """Address for `OPENAI_API_BASE`."""
        return f"http://127.0.0.1:{self.port}/v1"

    def of(self, model: str) -> list[Received]:
        """Return the requests to one model."""
        return [r for r in self.requests if r.model == model]

    # -- serving

    def __enter__(self) -> "FakeModel":
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self.serve(ready.set)), daemon=True)
        self._thread.start()
        if not ready.wait(10):
            raise RuntimeError("the fake model did not start")
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop and self._thread:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(10)

    async def serve(self, ready: Callable[[], None] | None = None) -> None:
        """Serve until stopped or cancelled; `ready` is called when connections are taken."""
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        if ready:
            ready()
        try:
            await self._stop.wait()
        finally:
            for (
                listening
            ) in server.sockets:  # no more of them; one that is being accepted needs the server open
                self._loop.remove_reader(listening.fileno())
            await self._end_connections()
            server.close()

    async def _end_connections(self) -> None:
        """End every connection, those just accepted too, and let the loop see them off before it closes."""
        for _ in range(_STEPS_TO_END):
            for writer, handler in list(self._connections.items()):
                writer.transport.abort()
                handler.cancel()
            await asyncio.sleep(0)
            if len(asyncio.all_tasks()) == 1:  # a connection that is being accepted is a task, too
                break
        await asyncio.sleep(0)  # the sockets are closed in the step after

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handler = asyncio.current_task()
        assert handler is not None
        self._connections[writer] = handler
        try:
            with contextlib.suppress(*_ENDS_OF_A_CONNECTION):
                while await self._one_request(reader, writer):
                    pass
        finally:
            del self._connections[writer]
            writer.close()

    async def _one_request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False ends the connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = head.split("\r\n")
        headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        body = await reader.readexactly(int(headers.get("content-length") or 0))
        method, _, target = lines[0].partition(" ")
        path = target.partition(" ")[0].partition("?")[0].rstrip("/")
        if method == "POST" and path.endswith("/chat/completions"):
            return await self._chat(body, headers, writer)
        status, answer = self._other(path)
        await _send(writer, _Answer(status, answer))
        return True

    def _other(self, path: str) -> tuple[int, dict[str, Any]]:
        if path.endswith("/models"):
            return 200, {"object": "list", "data": [{"id": n, "object": "model"} for n in self._players]}
        if path.endswith("/stats"):
            return 200, vars(self.stats)
        if path.endswith("/requests"):
            return 200, {"requests": [vars(r) for r in self.requests]}
        if path.endswith("/reset"):
            self.load(self.script)
            return 200, {}
        return 404, _error(404, f"no such path: {path}")

    # -- one chat completion

    async def _chat(self, body: bytes, headers: Mapping[str, str], writer: asyncio.StreamWriter) -> bool:
        try:
            asked = _received(json.loads(body), headers)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            await _send(writer, _Answer(400, _error(400, f"not a chat completion request: {error}")))
            return True
        step, player = self._note(asked)
        try:
            latency_ms = (
                self.script.latency_ms if step is None or step.latency_ms is None else step.latency_ms
            )
            if latency_ms:
                await asyncio.sleep(latency_ms / 1000)
            if step is not None and self._mischief is not None:
                said = step.reply if step.data is None else json.dumps(step.data, ensure_ascii=False)
                whole = rest_of(said, asked.messages)
                right = step.model_copy(update={"reply": whole, "data": None})
                step = self._mischief.spoil(right, whole, asked.messages)
            return await self._play(asked, step, player, writer)
        finally:
            self.stats.in_flight -= 1

    def _note(self, asked: Received) -> tuple[Step | None, Player]:
        self.requests.append(asked)
        stats = self.stats
        stats.requests += 1
        stats.in_flight += 1
        stats.in_flight_max = max(stats.in_flight_max, stats.in_flight)
        stats.tokens_in += asked.tokens
        stats.models[asked.model] = stats.models.get(asked.model, 0) + 1
        player = self._players.setdefault(asked.model, Player(()))
        step = player.next(asked.prompt) or self.script.default
        if step is None and self.script.on_exhausted == "repeat_last":
            step = player.last
        return step, player

    async def _play(
        self, asked: Received, step: Step | None, player: Player, writer: asyncio.StreamWriter
    ) -> bool:
        if step is None:
            # 501: no caller should take this for a passing fault of a server.
            message = f"the script has no step left for {asked.model!r} (request {len(self.requests)})"
            self._count(501)
            await _send(writer, _Answer(501, _error(501, message, "script_exhausted")))
            return True
        if step.drop == "before":
            self._count(0)
            return False
        self._count(step.status)
        if step.status >= HTTPStatus.BAD_REQUEST:
            headers = {"Retry-After": str(step.retry_after)} if step.retry_after is not None else {}
            message = step.reply or HTTPStatus(step.status).phrase
            await _send(
                writer, _Answer(step.status, _error(step.status, message) | (step.body or {}), headers)
            )
            return True
        return await self._say(asked, step, player.text_of(step), writer)

    def _count(self, status: int) -> None:
        name = str(status) if status else "dropped"
        self.stats.statuses[name] = self.stats.statuses.get(name, 0) + 1

    async def _say(self, asked: Received, step: Step, text: str, writer: asyncio.StreamWriter) -> bool:
        tokens_out = estimate_tokens(text)
        self.stats.tokens_out += tokens_out
        finish = step.finish_reason or ("length" if step.cut_at is not None else "stop")
        usage = {
            "prompt_tokens": asked.tokens,
            "completion_tokens": tokens_out,
            "total_tokens": asked.tokens + tokens_out,
        }
        base = {"id": f"fake-{len(self.requests)}", "created": int(time.time()), "model": asked.model}
        if asked.params.get("stream"):
            return await _stream(writer, base, text, finish, usage, step)
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if step.reasoning:
            message["reasoning_content"] = step.reasoning
        choice = {"index": 0, "message": message | (step.message or {}), "finish_reason": finish}
        body = {**base, "object": "chat.completion", "choices": [choice], "usage": usage} | (step.body or {})
        await _send(writer, _Answer(200, body), half=step.drop == "midway", garbled=step.garbled)
        return step.drop is None


def _received(body: Any, headers: Mapping[str, str]) -> Received:
    data = cast(dict[str, Any], body)
    messages = cast(list[dict[str, Any]], data["messages"])
    params = {k: v for k, v in data.items() if k not in ("model", "messages")}
    return Received(
        model=str(data["model"]).rpartition("/")[2],
        messages=tuple(messages),
        params=params,
        tokens=sum(estimate_tokens(_content(m)) for m in messages),
        at=time.monotonic(),
        key=headers.get("authorization", "").removeprefix("Bearer "),
    )


async def _send(
    writer: asyncio.StreamWriter, answer: _Answer, *, half: bool = False, garbled: bool = False
) -> None:
    body = json.dumps(answer.body, ensure_ascii=False).encode()
    body = body[: len(body) // 2] if garbled else body
    lines = [
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}",
        "Content-Type: application/json; charset=utf-8",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in answer.headers.items()),
    ]
    writer.write(
        ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (body[: len(body) // 2] if half else body)
    )
    await writer.drain()


async def _stream(
    writer: asyncio.StreamWriter,
    base: Mapping[str, Any],
    text: str,
    finish: str,
    usage: Mapping[str, int],
    step: Step,
) -> bool:
    """Send the text piece by piece as server-sent events."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")

    def event(data: Mapping[str, Any] | str) -> None:
        line = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        payload = f"data: {line}\n\n".encode()
        writer.write(f"{len(payload):x}\r\n".encode() + payload + b"\r\n")

    def chunk(delta: Mapping[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {**base, "object": "chat.completion.chunk", "choices": [choice]}

    event(chunk({"role": "assistant", "content": ""}))
    if step.reasoning:
        event(chunk({"reasoning_content": step.reasoning}))
    end = len(text) // 2 if step.drop == "midway" else len(text)
    for start in range(0, end, STREAM_PIECE):
        event(chunk({"content": text[start : min(end, start + STREAM_PIECE)]}))
        await writer.drain()
    if step.drop == "midway":
        return False
    event(chunk({}, finish))
    event({**base, "object": "chat.completion.chunk", "choices": [], "usage": dict(usage)})
    event("[DONE]")
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True
