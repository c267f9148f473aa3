from pathlib import Path
from typing import Annotated

import typer

from gpuplane.terminal import print_document


def schema(
    *,
    fleet: Annotated[bool, typer.Option("--fleet", help="The schema of fleet.yaml.")] = False,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIRECTORY", help="Folder to write both to.")
    ] = None,
) -> None:
    """Print the JSON schema of the cluster file, for editors.

    ```console
    gpuplane schema                   # of a cluster file
    gpuplane schema --fleet           # of fleet.yaml
    gpuplane schema --to schemas      # both, as files
    ```

    A comment on the first line of a cluster file shows the YAML language server where it is:
    `# yaml-language-server: $schema=../schemas/cluster.schema.json`
    """
    from gpuplane.reference.schema import CLUSTER_SCHEMA_FILE, FLEET_SCHEMA_FILE, schema_files
    from gpuplane.written_files import write_files

    files = schema_files()
    if to is None:
        print_document(files[FLEET_SCHEMA_FILE if fleet else CLUSTER_SCHEMA_FILE])
        return
    write_files(to, {to / name: text.encode() for name, text in files.items()})
    for name in files:
        typer.echo(to / name)
