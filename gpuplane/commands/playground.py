from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.named_clusters import Clusters
from gpuplane.platform_repository import repository_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuplane.playground.cluster_facts import PlaygroundFacts

_EXAMPLES = "examples"
_PYODIDE = Path("node_modules/pyodide")


def playground(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="Port on loopback to serve it on; 0 picks a free one."),
    ] = 8760,
    static: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write a page that needs no server to index.html in this folder, and exit.",
        ),
    ] = None,
    pyodide: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="With --static: folder of the npm package pyodide, with a wheel of msgspec for "
            "it; by default node_modules/pyodide.",
        ),
    ] = None,
) -> None:
    """Serve a page that shows what admission does.

    ```console
    gpuplane playground                    # at http://127.0.0.1:8760/
    gpuplane playground --static public/   # index.html, which needs no server
    ```

    Paste a manifest and choose a cluster. You see what its rules fix, refuse and warn of, with the
    page of each rule; what changes; which pools could hold the pods, and why others could not; the
    quota of the namespace; and what the pods cost an hour. The page is for browsers on this machine
    alone. A share link keeps the manifest in its fragment, which browsers send to no server.

    With `--static`, the page is a single file that fetches nothing: the browser runs the rules.
    """
    if pyodide is not None and static is None:
        raise typer.BadParameter("--pyodide is only allowed with --static")
    from gpuplane.playground.platform_facts import platform_facts
    from gpuplane.versions.check import selected_platforms

    repository = repository_of(context)
    platforms = selected_platforms(repository.clusters, clusters or ())
    facts, examples = tuple(map(platform_facts, platforms)), repository.directory / _EXAMPLES
    if static is None:
        _serve(facts, examples, port)
    else:
        _write(facts, examples, static, pyodide or _PYODIDE)


def _serve(facts: "Sequence[PlaygroundFacts]", examples: Path, port: int) -> None:
    from gpuplane.loopback_server import run_server
    from gpuplane.playground.local_server import LocalServer

    run_server(partial(LocalServer, facts, examples), port, "the playground is")


def _write(facts: "Sequence[PlaygroundFacts]", examples: Path, folder: Path, pyodide: Path) -> None:
    from gpuplane.playground.static_page import static_page
    from gpuplane.written_files import check_in_repository

    page = static_page(facts, examples, pyodide)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "index.html"
    check_in_repository(file)
    file.write_bytes(page.html)
    typer.echo(f"{file}: {len(page.html) / 1e6:.1f} MB", err=True)
