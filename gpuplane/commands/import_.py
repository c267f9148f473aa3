from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import Overwrite
from gpuplane.commands.named_clusters import clusters_argument, named
from gpuplane.errors import ExitCode
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from gpuplane.adoption.adoption import AdoptionRequest


_STYLES = {"+": "green", "~": "yellow"}
_SOURCES = "give --from PATH, or --context NAME or --kubeconfig FILE"


def import_(
    context: typer.Context,
    cluster: Annotated[
        str, clusters_argument("Name of the cluster, and of its file.", named, "CLUSTER")
    ],
    *,
    exports: Annotated[
        list[Path] | None,
        typer.Option(
            "--from", metavar="PATH", help="Exported file, or folder of such; may be repeated."
        ),
    ] = None,
    kubeconfig: Annotated[
        Path | None, typer.Option(help="Read the cluster by this kubeconfig.")
    ] = None,
    kube_context: Annotated[
        str | None, typer.Option("--context", help="Read the cluster of this context.")
    ] = None,
    overwrite: Overwrite = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what a first sync would change.")
    ] = False,
) -> None:
    """Write a cluster file for an existing cluster.

    ```console
    gpuplane import training --from exported/
    gpuplane import training --context training > draft.yaml
    gpuplane import training --context training --diff
    ```

    It reads node pools, nodes, teams' namespaces with their quotas and members, priority classes
    and the GPU operator's settings: from exports (`kubectl get KIND -A -o yaml`), or from the API
    server, which is only asked to list and get. Behind each value stands the object that states it;
    what could not be carried over is a comment, and what nothing states is left out.

    A file that `gpuplane synth` would not accept is printed and not written, each fault as a
    comment; the exit code is then 1. `--diff` compares what the cluster file renders, or without
    one what would be written, with what was read, field by field.
    """
    from gpuplane.adoption.adoption import AdoptionRequest

    is_live = kubeconfig is not None or kube_context is not None
    if is_live == bool(exports):
        raise typer.BadParameter(f"one source is needed: {_SOURCES}")
    clusters = repository_of(context).clusters
    if is_live:
        from gpuplane.adoption.live_cluster import LiveCluster

        request = AdoptionRequest(clusters, cluster, LiveCluster(kubeconfig, kube_context))
    else:
        request = AdoptionRequest(clusters, cluster, tuple(exports or ()))
    if not diff and not overwrite:
        request.check_free()
    for note in request.inventory.notes:
        print_styled(f"note: {note}", err=True)
    if diff:
        platform = request.existing() or request.proposed.platform
        if platform is None:
            raise _printed_with_faults(request)
        for line in request.first_sync(platform).lines(request.name):
            print_styled(line, _STYLES.get(line[:1]))
        return
    if request.proposed.faults:
        raise _printed_with_faults(request)
    request.write()
    print_styled(str(request.file))


def _printed_with_faults(request: "AdoptionRequest") -> typer.Exit:
    from charts_py.cluster_file.fault import counted

    proposed = request.proposed
    typer.echo(proposed.text, nl=False)
    what = f"{counted(len(proposed.faults), 'fault')}, each a comment above its line"
    typer.echo(f"{request.file}: not written; {what}", err=True)
    return typer.Exit(ExitCode.FINDINGS)
