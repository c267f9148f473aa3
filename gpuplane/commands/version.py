import platform

import typer

from gpuplane.application import installed_version
from gpuplane.commands.arguments import AsOutput, Output
from gpuplane.json_output import ReportKind, print_report


def version(*, output: AsOutput = Output.TEXT) -> None:
    """Print the version of gpuplane.

    ```console
    gpuplane version
    gpuplane version -o json
    ```

    `-o json` prints a `Version` of `{gpuplane, python, platform}`.
    """
    if output is Output.JSON:
        running = {"python": platform.python_version(), "platform": platform.platform()}
        print_report(ReportKind.VERSION, {"gpuplane": installed_version(), **running})
    else:
        typer.echo(installed_version())
