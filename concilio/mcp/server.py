"""The tools over the Model Context Protocol, by its official SDK."""

import json
from typing import Any

import anyio
import anyio.to_thread
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
from concilio.mcp.tools import CannotAnswerError, Told, answer, tools

MOST_AT_ONCE = 4
"""Calls that are computed side by side; others wait."""
_HARMLESS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(language: Language) -> Server[dict[str, Any]]:
    """Return the server, whose descriptions and messages are in that language."""
    limit = anyio.CapacityLimiter(MOST_AT_ONCE)
    listed = ListToolsResult(tools=[_tool(told) for told in tools(language)])

    async def on_list_tools(
        ctx: ServerRequestContext[dict[str, Any]], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return listed

    async def on_call_tool(
        ctx: ServerRequestContext[dict[str, Any]], params: CallToolRequestParams
    ) -> CallToolResult:
        return await anyio.to_thread.run_sync(
            _result, params.name, params.arguments or {}, language, limiter=limit
        )

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
        return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
    text = json.dumps(found, ensure_ascii=False, allow_nan=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text))


async def serve(language: Language) -> None:
    """Serve the standard input and output until the client goes away."""
    server = make_server(language)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
