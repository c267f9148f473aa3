import typer

from gpuplane.application import installed_version
from gpuplane.platform_repository import repository_of


def mcp(context: typer.Context) -> None:
    """Serve the platform to AI assistants over MCP.

    ```console
    gpuplane mcp
    ```

    It can list clusters, pools and rules, explain a rule, ask what admission does to a manifest and
    what the linter finds in it, plan a change, read what is rendered, and compare versions. Nothing
    is written, and no file outside of the platform repository is read. It ends with its stdin.
    """
    from gpuplane.assistant.server import assistant_server

    assistant_server(repository_of(context), installed_version()).run("stdio")
