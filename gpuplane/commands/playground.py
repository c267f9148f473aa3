"""`gpuplane playground`."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import Clusters
from gpuplane.platform_repository import PlatformRepository, repository_of

if TYPE_CHECKING:
    from charts_py.playground.cluster_facts import ClusterFacts

Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Port on loopback to serve it on; 0 picks a free one.")
]
_EXAMPLES = "examples"


def playground(context: typer.Context, clusters: Clusters = None, *, port: Port = 8760) -> None:
    """Serve a page that shows what admission does to a manifest, until Ctrl-C.

    Paste a manifest and choose a cluster. You see what its rules fix, refuse and warn of, with the
    page of each rule; what changes; which pools could hold the pods, and why others could not; the
    quota of the namespace; and what the pods cost an hour. The page is for browsers on this machine
    alone. A link to share keeps the manifest in its fragment, which no server is sent.

    ```console
    gpuplane playground            # at http://127.0.0.1:8760/
    ```
    """
    from charts_py.playground.local_server import LocalServer
    from charts_py.playground.site import local_site

    repository = repository_of(context)
    site = local_site(_facts(repository, clusters), repository.directory / _EXAMPLES)
    with LocalServer(site, port) as server:
        typer.echo(f"the playground is at {server.url}; Ctrl-C ends it", err=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _facts(repository: PlatformRepository, names: list[str] | None) -> "tuple[ClusterFacts, ...]":
    from charts_py.load import ClusterFiles, find_cluster_files, load_platforms
    from charts_py.playground.platform_facts import platform_facts
    from charts_py.release.selected_clusters import selected_clusters

    files = find_cluster_files(repository.clusters)
    chosen = selected_clusters(files, names or ())
    return tuple(map(platform_facts, load_platforms(ClusterFiles(files.fleet, chosen))))
