"""The tools over the Model Context Protocol, by its official SDK."""

import json
from functools import partial
from typing import Any

from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from concilio import __version__
from concilio.catalogue import Language, say
from concilio.mcp.lanes import Lane
from concilio.mcp.tools import CannotAnswerError, Told, answer, tools

LARGE = frozenset({"check", "playtest"})
"""Tools that are given whole texts: seconds of work, where the others take a moment."""
MOST_LARGE, MOST_SMALL = 2, 4
"""Calls that are computed side by side; others wait."""
LARGE_S, SMALL_S = 60.0, 20.0
"""Seconds after which a call is answered, whatever became of it; waiting counts."""
_HARMLESS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(language: Language) -> Server[dict[str, Any]]:
    """Return the server, whose descriptions and messages are in that language."""
    large, small = Lane(MOST_LARGE, LARGE_S), Lane(MOST_SMALL, SMALL_S)
    listed = ListToolsResult(tools=[_tool(told) for told in tools(language)])

    async def on_list_tools(
        ctx: ServerRequestContext[dict[str, Any]], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return listed

    async def on_call_tool(
        ctx: ServerRequestContext[dict[str, Any]], params: CallToolRequestParams
    ) -> CallToolResult:
        lane = large if params.name in LARGE else small
        try:
            return await lane.run(partial(_result, params.name, params.arguments or {}, language))
        except TimeoutError:
            return _problem(say("mcp.too_late", language, seconds=int(lane.seconds)))

    return Server(
        "concilio",
        version=__version__,
        instructions=say("mcp.instructions", language),
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def _tool(told: Told) -> Tool:
    schema = dict(told.parameters)
    return Tool(name=told.name, description=told.description, input_schema=schema, annotations=_HARMLESS)


def _result(name: str, arguments: dict[str, Any], language: Language) -> CallToolResult:
    """Return a call's result; what went wrong is told inside it, where a model can read it."""
    try:
        found = answer(name, arguments, language)
    except CannotAnswerError as error:
        return _problem(str(error))
    except MemoryError:
        return _problem(say("mcp.too_large", language))
    text = json.dumps(found, ensure_ascii=False, allow_nan=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text))


def _problem(told: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=told)], is_error=True)


async def serve(language: Language) -> None:
    """Serve the standard input and output until the client goes away."""
    server = make_server(language)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
