"""`gpuplane version`."""

import typer


def version() -> None:
    """Print the version of gpuplane."""
    from charts_py.platform.tool_version import tool_version

    typer.echo(tool_version())
