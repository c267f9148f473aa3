import asyncio
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_it_answers_on_stdin_and_stdout() -> None:
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    command = ["-m", "gpuplane", "-C", str(ROOT), "mcp"]
    server = StdioServerParameters(command=sys.executable, args=command)

    async def names() -> list[str]:
        async with Client(server) as client:
            called = await client.call_tool("list_clusters", {})
            assert called.structured_content is not None
            return [cluster["name"] for cluster in called.structured_content["result"]]

    assert asyncio.run(names()) == ["inference", "mixed", "onprem", "training"]
