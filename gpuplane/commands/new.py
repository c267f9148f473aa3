"""`gpuplane new`, which asks at a terminal for what a workload lacks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import Overwrite
from gpuplane.commands.named_clusters import only_cluster
from gpuplane.commands.new_cluster import new_cluster
from gpuplane.commands.questions import at_terminal, choose
from gpuplane.commands.workload_options import (
    Cluster,
    Data,
    Explain,
    Gpu,
    Name,
    Namespace,
    Pool,
    Priority,
    Resource,
    StorageClass,
    Team,
    ToFile,
)
from gpuplane.completion import complete_kinds
from gpuplane.help_page import Command
from gpuplane.parameter_rows import MORE_OPTIONS, Row
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_document, print_styled

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform
    from gpuplane.workloads.asked import Asked
    from gpuplane.workloads.workload import Workload

_STDOUT = Path("-")
_CLUSTER = "cluster"
_OTHERS = {_CLUSTER: "a cluster file"}
"""What a command of its own makes, which people look for here."""
_ROUTE = {"route": "what leads requests to servers"}
"""Likewise, which is not asked for."""


class COMMAND(Command):
    """The command, whose help lists the kinds."""

    def values(self) -> tuple[Row, ...]:
        from gpuplane.workloads.registry import KINDS

        kinds = ((kind.name, kind.summary) for kind in KINDS if kind.served is None)
        own = {kind.name: kind.summary for kind in KINDS if kind.served} | _ROUTE | _OTHERS
        return (
            *kinds,
            *((name, f"{what}: gpuplane help new {name}") for name, what in own.items()),
        )


def new(
    context: typer.Context,
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help="What to make:", autocompletion=complete_kinds),
    ] = None,
    name: Name = None,
    program: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROGRAM...", help="Python script and arguments; by default train.py."
        ),
    ] = None,
    *,
    cluster: Cluster = None,
    team: Team = None,
    namespace: Namespace = None,
    pool: Pool = None,
    gpu: Gpu = None,
    resource: Resource = None,
    gpus: Annotated[
        int | None, typer.Option(help="GPUs of each pod; 1 by default, or all of a node.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Pods that compute together; 1 by default.")
    ] = None,
    image: Annotated[
        str | None, typer.Option(help="Image with the program and its libraries.")
    ] = None,
    priority: Priority = None,
    hours: Annotated[
        int | None,
        typer.Option(
            help="Hours after which it is ended; 24 by default.", rich_help_panel=MORE_OPTIONS
        ),
    ] = None,
    framework: Annotated[
        str | None,
        typer.Option(
            help="Of a trainjob: torch by default; deepspeed, jax or mpi.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    data: Data = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="What is trained: a label by which its cost is shown.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE|none",
            help="Volume for checkpoints, at /checkpoint; 100Gi by default.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    storage_class: StorageClass = None,
    expected: Annotated[
        float | None,
        typer.Option(
            metavar="GB/S",
            help="Of an nccl-test: the bus bandwidth; by default what is known.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    explain: Explain = False,
    to_file: ToFile = None,
    overwrite: Overwrite = False,
) -> None:
    """Print the manifest of a workload that suits a cluster.

    ```console
    gpuplane new job t -c mixed --image nvcr.io/nvidia/x:1 -- train.py --epochs 3
    ```

    What it asks for, where it runs and how it ends follow from the cluster file
    (docs/workloads.md); admission leaves it as it is. `--explain` says why each field is there. At
    a terminal, what is missing is asked for.
    """
    from gpuplane.workloads.asked import Asked

    kind = _kind(kind)
    if kind == _CLUSTER:
        new_cluster(context, name)
        return
    asked = Asked(
        kind=kind,
        name=name or "",
        team=team,
        namespace=namespace,
        pool=pool,
        gpu=gpu,
        resource=resource,
        gpus=gpus,
        nodes=nodes,
        image=image,
        program=tuple(program or ()),
        framework=framework,
        data=data,
        model=model,
        priority=priority,
        hours=hours,
        checkpoint=checkpoint,
        storage_class=storage_class,
        expected=expected,
    )
    print_asked(context, asked, cluster, to_file, explain=explain, overwrite=overwrite)


def print_asked(
    context: typer.Context,
    asked: "Asked",
    cluster: str | None,
    to_file: Path | None,
    *,
    explain: bool,
    overwrite: bool,
) -> None:
    """Print the workload that is asked for; at a terminal, ask for what it lacks."""
    from gpuplane.commands.registry_options import with_model_version
    from gpuplane.commands.workload_questions import with_answers
    from gpuplane.workloads.model_version import REGISTERED
    from gpuplane.workloads.workload import new_workload

    if not asked.name and not at_terminal():
        raise typer.BadParameter("NAME is missing: give the workload a name, such as train")
    platform = workload_platform(context, cluster)
    if (asked.weights or "").startswith(REGISTERED):
        asked = with_model_version(asked, platform)
    if at_terminal():
        asked = with_answers(asked, platform)
    workload = new_workload(asked, platform)
    print_workload(workload, to_file, explain=explain, overwrite=overwrite)


def _kind(named: str | None) -> str:
    from gpuplane.workloads.registry import KINDS
    from gpuplane.workloads.workload import unknown_kind

    here = {kind.name: kind.summary for kind in KINDS if kind.served is None} | _OTHERS
    known = {kind.name: kind.summary for kind in KINDS} | _ROUTE | _OTHERS
    if named is None:
        if not at_terminal():
            raise typer.BadParameter(f"KIND is missing; allowed: {', '.join(known)}")
        return choose("kind", here, KINDS[0].name)
    if named not in known:
        raise unknown_kind(named, known)
    if named == _CLUSTER or named not in here:
        help_of_it = f"gpuplane new {named} NAME --help"
        raise typer.BadParameter(f"{named} is a command of its own: {help_of_it}")
    return named


def workload_platform(context: typer.Context, cluster: str | None) -> "Platform":
    """Return the platform of a cluster: the one that is named, or else the only one."""
    from charts_py.cluster_file.cluster_files import find_cluster_files
    from gpuplane.admission.loaded_rules import cluster_platform

    clusters = repository_of(context).clusters
    if cluster is None and at_terminal():
        names = [file.stem for file in find_cluster_files(clusters).clusters]
        cluster = choose("cluster", dict.fromkeys(names, ""))
    return cluster_platform(clusters, cluster or only_cluster(context, "--cluster"))


def print_workload(
    workload: "Workload", to_file: Path | None, *, explain: bool, overwrite: bool
) -> None:
    """Print a workload or the reasons of its fields, or write it to a file; notes go to stderr."""
    for note in workload.notes:
        print_styled(f"note: {note}", err=True)
    file = None if to_file == _STDOUT else to_file
    if file is not None:
        _write(workload, file, overwrite=overwrite)
    if explain:
        for one in workload.objects:
            for reason in one.reasons:
                print_document(f"{one.document['kind']}: {reason}\n")
    elif file is None:
        print_document(_manifest(workload))


def _manifest(workload: "Workload") -> str:
    from charts_py.objects.manifest_yaml import to_yaml

    return "---\n".join(map(to_yaml, workload.documents))


def _write(workload: "Workload", file: Path, *, overwrite: bool) -> None:
    if file.is_dir():
        raise FileExistsError(f"{file}: a folder; allowed: a file")
    try:
        with file.open("w" if overwrite else "x", encoding="utf-8") as opened:
            opened.write(_manifest(workload))
    except FileExistsError:
        allowed = "allowed: another file, or --overwrite"
        raise FileExistsError(f"{file}: there already; {allowed}") from None
