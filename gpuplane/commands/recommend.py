"""`gpuplane recommend`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.commands.arguments import AsDocument
from gpuplane.completion import complete_clusters, complete_models
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, print_section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuplane.reports.recommendation.recommendation import Recommendation
    from gpuplane.reports.recommendation.recommendation_request import ModelRequest, PoolRequest
    from gpuplane.reports.recommendation.workload import Workload


def recommend(
    context: typer.Context,
    cluster: Annotated[
        str | None,
        typer.Argument(
            metavar="CLUSTER",
            help="Name of the cluster that the pool is in.",
            autocompletion=complete_clusters,
        ),
    ] = None,
    *,
    pool: Annotated[
        str | None, typer.Option(help="Pool whose GPUs are to be shared; by default the only one.")
    ] = None,
    gpu: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="GPU model instead of a pool: machines that CLUSTER would get, or of your own.",
            autocompletion=complete_models,
        ),
    ] = None,
    gpus: Annotated[
        int | None, typer.Option(min=1, help="GPUs of such a machine; by default the most.")
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="File of workloads, instead of the options below."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the workload is called.")] = "workload",
    memory: Annotated[
        str | None, typer.Option(help="GPU memory of a pod at its most, such as 9Gi.")
    ] = None,
    average: Annotated[
        float | None, typer.Option(help="Part of a GPU that a pod uses on average, such as 0.13.")
    ] = None,
    peak: Annotated[
        float | None, typer.Option(help="Part of a GPU that it uses at its busiest; 1 by default.")
    ] = None,
    pods: Annotated[
        int | None, typer.Option(help="How many pods run at once; 1 by default.")
    ] = None,
    gpus_per_pod: Annotated[
        int | None, typer.Option(help="GPUs that a pod computes on together; 1 by default.")
    ] = None,
    nvlink: Annotated[
        bool, typer.Option("--nvlink", help="Whether its GPUs must talk over NVLink.")
    ] = False,
    latency: Annotated[
        str | None,
        typer.Option(metavar="none|soft|strict", help="Who waits for a pod; strict by default."),
    ] = None,
    stage: Annotated[
        str | None, typer.Option(metavar="development|production", help="production by default.")
    ] = None,
    trust: Annotated[
        str | None,
        typer.Option(
            metavar="team|others", help="Whose pods may be on the same GPU; others by default."
        ),
    ] = None,
    output: AsDocument = DocumentOutput.TEXT,
) -> None:
    """Show how workloads best share the GPUs of a pool, and what that saves.

    Isolation decides first, the hardware second, and what the workload uses third
    (docs/sharing.md). What is not stated is taken for what asks the most of a GPU. The lines to
    paste are checked as those of the cluster file are.

    ```console
    gpuplane recommend --gpu A100-SXM-80 --memory 9Gi --average 0.13 --peak 0.14 --pods 200
    gpuplane recommend training --pool a100-mixed --from workloads.yaml    # several workloads
    gpuplane recommend inference --gpu L4 --memory 4Gi --average 0.1       # machines to buy
    ```

    `-o json` prints a `Recommendation` with `workloads`, `pools` of `{name, fields, workloads,
    allocationsPerNode, isolation, alsoToChange, before, after}`, and what all of them take
    `before` and `after`. What is not known is null.
    """
    from gpuplane.reports.recommendation.recommendation_request import recommend_for

    fields = {
        "memory": memory,
        "average": average,
        "peak": peak,
        "pods": pods,
        "gpusPerPod": gpus_per_pod,
        "nvlink": nvlink or None,
        "latency": latency,
        "stage": stage,
        "trust": trust,
    }
    given = {field: value for field, value in fields.items() if value is not None}
    request = _request(context, cluster, pool, (gpu, gpus))
    _print(recommend_for(_workloads(from_, name, given), request), output)


def _request(
    context: typer.Context,
    cluster: str | None,
    pool: str | None,
    machine: tuple[str | None, int | None],
) -> "PoolRequest | ModelRequest":
    from gpuplane.reports.recommendation.recommendation_request import (
        ClusterRequest,
        ModelRequest,
        PoolRequest,
    )

    gpu, gpus = machine
    named = ClusterRequest(repository_of(context).clusters, cluster) if cluster else None
    if gpu is not None and pool is None:
        return ModelRequest(gpu, gpus, named)
    if named is not None and gpu is None and gpus is None:
        return PoolRequest(named, pool)
    raise typer.BadParameter("name either a pool of a cluster, or a GPU model by --gpu")


def _workloads(file: Path | None, name: str, given: dict[str, Any]) -> "Mapping[str, Workload]":
    from gpuplane.reports.recommendation.workload import given_workload, read_workloads

    if file is not None and given:
        raise typer.BadParameter(f"--from takes the place of --{next(iter(given))}")
    return read_workloads(file) if file is not None else given_workload(name, given)


def _print(recommendation: "Recommendation", output: DocumentOutput) -> None:
    from gpuplane.reports.recommendation.recommendation_table import (
        pool_blocks,
        recommendation_fields,
        recommendation_notes,
        recommendation_tables,
    )
    from gpuplane.tables import Section

    if output is DocumentOutput.JSON:
        print_report(ReportKind.RECOMMENDATION, recommendation_fields(recommendation))
        return
    tables = recommendation_tables(recommendation)
    notes = recommendation_notes(recommendation)
    blocks = pool_blocks(recommendation)
    print_section(Section("Recommendation", tables, notes, blocks=blocks), output)
