"""Options of every command that makes a workload."""

from pathlib import Path
from typing import Annotated

import typer

from gpuplane.commands.named_clusters import cluster_option
from gpuplane.completion import complete_models
from gpuplane.parameter_rows import MORE_OPTIONS

Name = Annotated[str | None, typer.Argument(metavar="NAME", help="Its name.")]
Cluster = Annotated[str | None, cluster_option("Name or file; by default the only one.")]
Team = Annotated[str | None, typer.Option(help="By default the only team.")]
Namespace = Annotated[
    str | None,
    typer.Option("--namespace", "-n", help="By default the one of the team that suits it best."),
]
Pool = Annotated[
    str | None, typer.Option(help="By default the first of the quota that is not spot.")
]
Gpu = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL", help="GPU model instead of a pool.", autocompletion=complete_models
    ),
]
Resource = Annotated[
    str | None,
    typer.Option(help="MIG profile or other resource of the pool.", rich_help_panel=MORE_OPTIONS),
]
Priority = Annotated[
    str | None,
    typer.Option(
        help="Priority class; by default that of the namespace.", rich_help_panel=MORE_OPTIONS
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        metavar="CLAIM",
        help="Claim of a volume with the data, to read at /data.",
        rich_help_panel=MORE_OPTIONS,
    ),
]
StorageClass = Annotated[
    str | None,
    typer.Option(
        help="Storage class of that volume; by default the cluster's default.",
        rich_help_panel=MORE_OPTIONS,
    ),
]
Replicas = Annotated[
    int | None, typer.Option(help="Copies, on as many nodes; 1 by default, 0 to sleep.")
]
MaxReplicas = Annotated[
    int | None,
    typer.Option(help="Copies that KEDA makes at most, as requests wait (docs/serving.md)."),
]
Drain = Annotated[
    int | None,
    typer.Option(
        metavar="SECONDS",
        help="For requests that it has when it ends; 45 by default, or less on spot.",
        rich_help_panel=MORE_OPTIONS,
    ),
]
Canary = Annotated[
    bool,
    typer.Option(
        "--canary", help="Replace a few copies first, by Argo Rollouts (docs/serving.md)."
    ),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Say why fields are there, instead of the manifest.")
]
ToFile = Annotated[
    Path | None,
    typer.Option(
        "--file", "-f", metavar="FILE", help="File to write it to; - is stdout, the default."
    ),
]
