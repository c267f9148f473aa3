"""`gpuplane upstream`: the pinned foreign files and the schemas compiled from them."""

from pathlib import Path
from typing import Annotated

import typer

from gpuplane.commands.arguments import FETCHED, MIRROR_VARIABLE, Check, existing_folder
from gpuplane.errors import ExitCode
from gpuplane.help_page import Command, Group
from gpuplane.terminal import progress


def create_group() -> typer.Typer:
    """Return the commands for pinned foreign files."""
    group = typer.Typer(
        name="upstream",
        add_completion=False,
        help="Fetch pinned foreign files, and compile their schemas.",
        no_args_is_help=True,
        rich_markup_mode=None,
        cls=Group,
    )
    group.command("fetch", cls=Command)(fetch)
    group.command("compile", cls=Command)(compile_schemas)
    return group


def fetch(
    *,
    mirror: Annotated[
        Path | None, typer.Option(help="Copy them from a folder.", callback=existing_folder)
    ] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Download them from their repositories.")
    ] = False,
    charts: Annotated[
        bool, typer.Option("--charts", help="Only the charts, which gitops.charts: rendered reads.")
    ] = False,
    to: Annotated[Path, typer.Option("--to", help="Folder to write them to.")] = FETCHED,
) -> None:
    """Get the files that upstream/lock.yaml pins.

    ```console
    gpuplane upstream fetch --network
    gpuplane upstream fetch --mirror /media/mirror
    gpuplane upstream fetch --network --charts --to pinned
    ```

    Digests are verified before anything is kept.
    """
    from upstream import fetch as sources
    from upstream.fetch import files_of_charts
    from upstream.lock import committed_lock

    if network is (mirror is not None):
        raise typer.BadParameter("choose one source: --mirror DIRECTORY or --network")
    source = sources.Network() if mirror is None else sources.Mirror(mirror)
    with progress("fetching"):
        count = sources.fetch(files_of_charts() if charts else committed_lock(), to, source)
    typer.echo(f"{to}: {count} files")


def compile_schemas(
    *,
    mirror: Annotated[
        Path,
        typer.Option(
            "--mirror", envvar=MIRROR_VARIABLE, help="Folder that holds the pinned files."
        ),
    ] = FETCHED,
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder of the schemas; by default the package's.")
    ] = None,
    check: Check = False,
) -> None:
    """Compile the schemas that `gpuplane validate` uses.

    ```console
    gpuplane upstream compile
    gpuplane upstream compile --check --mirror /media/mirror
    ```

    Needs the development dependencies, which include the schemas of Kubernetes' own kinds.
    """
    from upstream.compile import compile_all
    from upstream.schema_files import committed_schemas, differences, write_schemas

    compiled, directory = compile_all(mirror), to or committed_schemas()
    if not check:
        write_schemas(compiled, directory)
        typer.echo(f"{directory}: {len(compiled)} schemas")
        return
    different = differences(compiled, directory)
    for line in different:
        typer.echo(line)
    if different:
        raise typer.Exit(ExitCode.FINDINGS)
