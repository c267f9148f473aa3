"""A server whose tools refuse what they do not take."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult

from gpuplane.versions.dist_error import unknown_name


class StrictServer(MCPServer[Any]):
    """One that names unknown arguments; the SDK drops them, so that a slip would mean all."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; raise ToolError for an argument that it does not have."""
        for tool in await self.list_tools():
            if tool.name == name:
                _check(name, arguments, tuple(tool.input_schema.get("properties", {})))
        return await super().call_tool(name, arguments, context)


def _check(tool: str, arguments: dict[str, Any], known: tuple[str, ...]) -> None:
    unknown = (argument for argument in arguments if argument not in known)
    problems = [unknown_name("argument", each, known, tool) for each in unknown]
    if problems:
        raise ToolError("\n".join(problems))
