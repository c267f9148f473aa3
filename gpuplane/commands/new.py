"""`gpuplane new`."""

from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.workload_output import Explain, Overwrite, ToFile, print_workload
from gpuplane.completion import complete_clusters, complete_kinds, complete_models
from gpuplane.platform_repository import repository_of

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform

Kind = Annotated[
    str | None,
    typer.Argument(
        metavar="KIND", help="What to make, such as job.", autocompletion=complete_kinds
    ),
]
Name = Annotated[str | None, typer.Argument(metavar="NAME", help="What it is called.")]
Program = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PROGRAM...",
        help="A Python script of the image, and its arguments; train.py by default.",
        show_default=False,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(help="Name of the cluster it is for.", autocompletion=complete_clusters),
]
Team = Annotated[str | None, typer.Option(help="Whose it is; by default the only team.")]
Namespace = Annotated[
    str | None,
    typer.Option(
        "--namespace", "-n", help="One of the team's; by default the one that suits it best."
    ),
]
Pool = Annotated[
    str | None,
    typer.Option(help="Pool to run on; by default the first of the quota that is not spot."),
]
Gpu = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL", help="GPU model instead of a pool.", autocompletion=complete_models
    ),
]
Resource = Annotated[
    str | None, typer.Option(help="What to ask a pool for that offers several MIG profiles.")
]
Gpus = Annotated[
    int | None,
    typer.Option(help="GPUs of each pod; by default 1, or all of a node for distributed kinds."),
]
Nodes = Annotated[int | None, typer.Option(help="Pods that compute together; 1 by default.")]
Image = Annotated[
    str | None, typer.Option(help="Image with the program and its libraries; to be stated.")
]
Priority = Annotated[
    str | None, typer.Option(help="Priority class; by default that of the namespace.")
]
Hours = Annotated[int | None, typer.Option(help="After which it is ended; 24 by default.")]
Checkpoint = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE|none", help="Volume for checkpoints, at /checkpoint; 100Gi by default."
    ),
]
Framework = Annotated[
    str | None, typer.Option(help="Of a trainjob: torch by default; deepspeed, jax or mpi.")
]
Data = Annotated[
    str | None,
    typer.Option(metavar="CLAIM", help="Claim of a volume with the data, to read at /data."),
]
Model = Annotated[
    str | None, typer.Option(help="What is trained: a label by which its cost is shown.")
]
StorageClass = Annotated[
    str | None, typer.Option(help="Storage class of that volume; by default the cluster's default.")
]


def new(
    context: typer.Context,
    kind: Kind = None,
    name: Name = None,
    program: Program = None,
    *,
    cluster: Cluster = None,
    team: Team = None,
    namespace: Namespace = None,
    pool: Pool = None,
    gpu: Gpu = None,
    resource: Resource = None,
    gpus: Gpus = None,
    nodes: Nodes = None,
    image: Image = None,
    priority: Priority = None,
    hours: Hours = None,
    framework: Framework = None,
    data: Data = None,
    model: Model = None,
    checkpoint: Checkpoint = None,
    storage_class: StorageClass = None,
    explain: Explain = False,
    output: ToFile = None,
    overwrite: Overwrite = False,
) -> None:
    """Print the manifest of a workload that is right for a cluster.

    What it asks for, where it runs and how it ends follow from the cluster file
    (docs/workloads.md); admission leaves it as it is. `--explain` says why each field is there. At
    a terminal, what is missing is asked for.

    ```console
    gpuplane new job train --cluster training --team research --image registry.example.com/train:1
    gpuplane new pytorchjob llm --cluster mixed --nodes 4 --image registry.example.com/llm:1
    gpuplane new job train --cluster mixed --image registry.example.com/a:1 -- train.py --epochs 3
    ```
    """
    from gpuplane.workload_questions import at_terminal, with_answers
    from gpuplane.workloads.asked import Asked
    from gpuplane.workloads.workload import new_workload

    asked = Asked(
        kind=_kind(kind),
        name=_name(name),
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
    )
    platform = _platform(context, cluster)
    if at_terminal() and (asked.team is None or asked.image is None):
        asked = with_answers(asked, platform)
    workload = new_workload(asked, platform)
    print_workload(workload, output, explain=explain, overwrite=overwrite)


def _kind(named: str | None) -> str:
    from gpuplane.workload_questions import at_terminal, choose
    from gpuplane.workloads.registry import KINDS
    from gpuplane.workloads.workload import kind_of

    meanings = {kind.name: kind.summary for kind in KINDS}
    if named is None:
        if not at_terminal():
            raise typer.BadParameter(f"KIND is missing; allowed: {', '.join(meanings)}")
        named = choose("kind", meanings)
    return kind_of(named).name


def _name(named: str | None) -> str:
    from gpuplane.workload_questions import ask, at_terminal

    if named is None and not at_terminal():
        raise typer.BadParameter("NAME is missing; allowed: what the workload is called")
    return ask("name") if named is None else named


def _platform(context: typer.Context, cluster: str | None) -> "Platform":
    from charts_py.cluster_file.cluster_files import find_cluster_files
    from gpuplane.admission.loaded_rules import cluster_platform
    from gpuplane.workload_questions import at_terminal, choose

    clusters = repository_of(context).clusters
    if cluster is None:
        names = [file.stem for file in find_cluster_files(clusters).clusters]
        if not at_terminal():
            raise typer.BadParameter(f"--cluster is missing; allowed: {', '.join(names)}")
        cluster = choose("cluster", dict.fromkeys(names, ""))
    return cluster_platform(clusters, cluster)
