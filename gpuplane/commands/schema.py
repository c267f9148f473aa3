"""`gpuplane schema`."""

from pathlib import Path
from typing import Annotated

import typer

from gpuplane.terminal import print_document


def schema(
    *,
    fleet: Annotated[bool, typer.Option("--fleet", help="The schema of fleet.yaml.")] = False,
    write: Annotated[
        Path | None, typer.Option(metavar="DIRECTORY", help="Write both schemas to a folder.")
    ] = None,
) -> None:
    """Print the JSON schema of the cluster file, for editors.

    A comment on the first line of a cluster file shows the YAML language server where it is:
    `# yaml-language-server: $schema=../schemas/cluster.schema.json`

    ```console
    gpuplane schema                   # of a cluster file
    gpuplane schema --fleet           # of fleet.yaml
    gpuplane schema --write schemas   # both, as files
    ```
    """
    from gpuplane.reference.schema import CLUSTER_SCHEMA_FILE, FLEET_SCHEMA_FILE, schema_files

    files = schema_files()
    if write is None:
        print_document(files[FLEET_SCHEMA_FILE if fleet else CLUSTER_SCHEMA_FILE])
        return
    write.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (write / name).write_text(text, encoding="utf-8")
        typer.echo(write / name)
