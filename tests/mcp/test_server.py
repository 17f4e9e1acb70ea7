"""The server answers the SDK's own client: tools as they are listed, values as the commands print them."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent

from concilio.catalogue import LANGUAGES, Language
from concilio.cli.main import run_command_line
from concilio.mcp import tools
from concilio.mcp.lanes import Lane
from concilio.mcp.server import make_server
from tests.table_scripts import ADVENTURE, PLAN

ROOT = Path(__file__).parents[2]


async def called(name: str, spoken: str = "en", /, **arguments: Any) -> CallToolResult:
    async with Client(make_server(cast("Language", spoken))) as client:
        return await client.call_tool(name, arguments)


def value(result: CallToolResult) -> Mapping[str, Any]:
    assert not result.is_error, result.content
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert json.loads(content.text) == result.structured_content
    return json.loads(content.text)


def problem(result: CallToolResult) -> str:
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_tools_are_listed_and_described(language: str) -> None:
    async with Client(make_server(cast("Language", language))) as client:
        listed = (await client.list_tools()).tools
    assert tuple(tool.name for tool in listed) == tools.NAMES
    for tool in listed:
        assert tool.description
        assert tool.input_schema["type"] == "object"
        assert tool.annotations
        assert tool.annotations.read_only_hint
    assert len({tool.description for tool in listed}) == len(listed)


async def test_check_gives_findings_with_their_places() -> None:
    text = "# Notes\n\nWith a Will saving throw DC 14 the thief may pass.\n"
    found = value(await called("check", text=text))
    (finding,) = [f for f in found["findings"] if f["quote"] in text and "Will" in f["quote"]]
    assert (finding["line"], finding["severity"]) == (3, "error")
    assert text.splitlines()[2][finding["column"] - 1 :].startswith(finding["quote"])
    assert (found["language"], found["summary"]["errors"]) == ("en", 1)


async def test_check_is_silent_on_right_text_and_takes_the_adventure() -> None:
    found = value(await called("check", text=PLAN, adventure=ADVENTURE))
    assert [f for f in found["findings"] if f["severity"] == "error"] == []
    assert (found["language"], found["ruleset"]) == ("es", "srd5e")


@pytest.mark.parametrize(
    ("name", "arguments", "key", "expected"),
    [
        ("odds_check", {"bonus": 7, "dc": 15, "advantage": True}, "p", 0.8775),
        ("odds_save", {"bonus": 3, "dc": 15, "damage": "2d6"}, "mean", 5.3125),
        ("odds_roll", {"dice": "2d6"}, "mean", 7),
        ("odds_attack", {"attack": 5, "ac": 15, "damage": "1d8+3"}, "p_hit", 0.55),
        ("odds_duel", {"a": "goblin", "b": "hp=1 ac=1 attack=-5 damage=1"}, "p_a", None),
    ],
)
async def test_odds_are_those_of_the_command(
    name: str,
    arguments: dict[str, Any],
    key: str,
    expected: float | None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = value(await called(name, **arguments))
    if expected is not None:
        assert found[key] == pytest.approx(expected)
        return
    flags = [part for side, text in arguments.items() for part in (f"--{side}", text)]
    assert run_command_line(["odds", "duel", *flags, "--format", "json"]) == 0
    assert found[key] == json.loads(capsys.readouterr().out)[key]


async def test_playtest_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chapter, adventure = tmp_path / "chapter", tmp_path / "a.md"
    chapter.write_text(PLAN, encoding="utf-8")
    adventure.write_text(ADVENTURE, encoding="utf-8")
    arguments = ["playtest", str(chapter), "--adventure", str(adventure), "--format", "json"]
    assert run_command_line(arguments) == 0
    printed = json.loads(capsys.readouterr().out)
    found = value(await called("playtest", chapter=PLAN, adventure=ADVENTURE))
    assert {**found, "file": ""} == {**printed, "file": ""}
    alone = value(await called("playtest", chapter=PLAN, level=9))
    assert {member["level"] for member in alone["party"]} == {9}


async def test_explain_says_what_a_rule_asks() -> None:
    found = value(await called("explain", "es", rule="dc-drift"))
    assert found["rule"] == "dc-drift"
    assert found["why"]


@pytest.mark.parametrize(
    ("name", "arguments", "word"),
    [
        ("check", {}, "text"),
        ("check", {"text": 5}, "text"),
        ("check", {"text": "a" * (tools.LONGEST_TEXT + 1)}, "text"),
        ("check", {"text": "a", "file": "/etc/passwd"}, "file"),
        ("check", {"text": "a", "ruleset": "../../etc"}, "srd5e"),
        ("check", {"text": "a", "language": "fr"}, "language"),
        ("check", {"text": "a", "adventure": "---\nlevell: 3\n---\n# One\n"}, "level"),
        ("check", {"text": "a", "adventure": "---\nprompts: /etc\n---\n# Chapter 1 · A\n"}, "/etc"),
        ("playtest", {"chapter": "Nothing to play.\n"}, "plan"),
        ("check", {"text": "a", "adventure": "x\n" * 20_001}, "adventure: "),
        ("check", {"text": "a" * (tools.LONGEST_TEXT + 1)}, str(tools.LONGEST_TEXT)),
        ("playtest", {"chapter": PLAN, "level": 21}, "level"),
        ("playtest", {"chapter": PLAN, "level": 0}, "level: 1 "),
        ("playtest", {"chapter": PLAN, "level": True}, "level: "),
        ("odds_check", {"dc": 15, "bonus": True}, "bonus: "),
        ("odds_check", {"dc": 15, "group": [3, False]}, "group.1: "),
        ("odds_attack", {"attack": 5, "ac": 15, "damage": "1d8", "hp": True}, "hp: "),
        ("playtest", {"chapter": PLAN, "adventure": ADVENTURE, "level": 3}, "level"),
        ("odds_attack", {"attack": 5, "ac": 15, "damage": "1d8", "attacks": 99}, "attacks: 10 "),
        ("odds_attack", {"attack": 5, "ac": 15, "damage": "999999x999999"}, "20000"),
        ("odds_duel", {"a": "hp=9 ac=9 attack=5 damage=999999x999999", "b": "goblin"}, "20000"),
        ("odds_roll", {"dice": "1d6" * 100}, "200"),
        ("explain", {"rule": "x" * 61}, "60"),
        ("playtest", {"chapter": PLAN, "adventure": "---\nruleset: nope\n---\n# One\n"}, "nope"),
        ("odds_roll", {"dice": "9999999d9999999"}, ""),
        ("odds_roll", {"dice": "{0.__class__}"}, ""),
        ("odds_check", {"dc": 10**9}, "dc"),
        ("explain", {"rule": "no-such"}, "dc-drift"),
        ("odds", {}, "odds_check"),
    ],
)
async def test_what_cannot_be_answered_is_told_in_the_result(
    name: str, arguments: dict[str, Any], word: str
) -> None:
    told = problem(await called(name, **arguments))
    assert word in told
    assert "Traceback" not in told


@pytest.mark.parametrize(("language", "word"), [("es", "reglamento"), ("en", "ruleset")])
async def test_messages_are_in_the_servers_language(language: str, word: str) -> None:
    assert word in problem(await called("check", language, text="a", ruleset="x"))


@pytest.mark.parametrize("text", ["\ud800", "\x00\x1b[2J", "{{ 7 * 7 }} {0}", "<script>", "---\n- [", ""])
async def test_any_text_is_only_text(text: str) -> None:
    found = value(await called("check", text=f"{text} Will saving throw DC 14"))
    assert json.dumps(found, ensure_ascii=False).encode("utf-8")
    assert problem(await called("playtest", chapter=text))


async def test_calls_side_by_side_do_not_mix() -> None:
    found: dict[int, float] = {}
    async with Client(make_server("en")) as client:

        async def one(dc: int) -> None:
            found[dc] = value(await client.call_tool("odds_check", {"dc": dc}))["p"]

        async with anyio.create_task_group() as group:
            for dc in range(2, 20):
                group.start_soon(one, dc)
    assert found == {dc: pytest.approx((21 - dc) / 20) for dc in range(2, 20)}


async def test_small_calls_are_answered_while_large_ones_are_computed() -> None:
    """Whole texts are checked in a lane of their own; however many wait there, dice do not."""
    text = "With a Will save DC 14 the thief may pass and is sick. " * 300
    done: list[str] = []
    async with Client(make_server("en")) as client, anyio.create_task_group() as group:

        async def large() -> None:
            assert not (await client.call_tool("check", {"text": text})).is_error
            done.append("large")

        for _ in range(6):
            group.start_soon(large)
        await anyio.wait_all_tasks_blocked()
        for _ in range(3):
            assert value(await client.call_tool("odds_roll", {"dice": "1d6"}))["mean"] == 3.5
        done.append("small")
    assert done.index("small") < 5
    assert done.count("large") == 6


async def test_what_outlasts_its_time_is_given_up_and_keeps_its_place() -> None:
    """No more is ever computed than the lane holds, though nobody waits for it any more."""
    lane, free = Lane(1, 0.2), threading.Event()
    running: list[int] = []

    def outlasting() -> None:
        running.append(1)
        free.wait(30)

    for _ in range(3):
        with pytest.raises(TimeoutError):
            await lane.run(outlasting)
    assert len(running) == 1
    free.set()
    with anyio.fail_after(10):
        while True:
            with suppress(TimeoutError):
                assert await lane.run(lambda: 7) == 7
                break


async def test_the_longest_text_is_checked_in_some_seconds() -> None:
    """However many findings it has, in one line or in many."""
    for part in ("With a Will save DC 14 the thief may pass and is sick. ", "Roll DC 15 Stealth.\n\n"):
        begin = time.process_time()
        value(await called("check", text=part * (tools.LONGEST_TEXT // len(part))))
        assert time.process_time() - begin < 15  # five on the slowest day; machines differ


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


@pytest.mark.parametrize(("language", "word"), [("es", "salida"), ("en", "output")])
def test_an_output_that_nobody_reads_is_one_line(language: str, word: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "concilio", "--lang", language, "mcp"],
            input=(json.dumps(INITIALIZE) + "\n") * 3,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            cwd=ROOT,
        )
    finally:
        os.close(writing)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert word in line


async def test_over_pipes_a_client_lists_and_calls() -> None:
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "concilio", "--lang", "en", "mcp"], cwd=ROOT
    )
    async with Client(stdio_client(started)) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == list(tools.NAMES)
        assert value(await client.call_tool("odds_roll", {"dice": "1d6"}))["mean"] == 3.5


def test_without_the_extra_one_line_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    assert run_command_line(["mcp"]) == 2
    assert "concilio[mcp]" in capsys.readouterr().err
