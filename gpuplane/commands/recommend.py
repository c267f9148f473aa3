from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.commands.arguments import AsDocument, print_found
from gpuplane.commands.named_clusters import clusters_argument, named, only_cluster
from gpuplane.completion import complete_models
from gpuplane.json_output import ReportKind
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, Section

if TYPE_CHECKING:
    from gpuplane.reports.recommendation.target import Target


def recommend(
    context: typer.Context,
    cluster: Annotated[
        str | None, clusters_argument("Name or file; by default the only one.", named, "CLUSTER")
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
    weights: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Of a model, such as 140GB: where to have them."),
    ] = None,
    starts: Annotated[
        int | None,
        typer.Option(min=0, help="Replicas with these weights that start in a month; 100."),
    ] = None,
    output: AsDocument = DocumentOutput.TEXT,
) -> None:
    """Show how workloads best share the GPUs of a pool.

    ```console
    gpuplane recommend --gpu A100-SXM-80 --memory 9Gi --average 0.13 --pods 200
    gpuplane recommend training --pool a100-mixed --from workloads.yaml
    gpuplane recommend inference --gpu L4 --memory 4Gi --average 0.1
    gpuplane recommend training --pool h100 --weights 140GB
    ```

    Isolation decides first, the hardware second, and what the workload uses third
    (docs/sharing.md). What is not stated is taken for what asks the most of a GPU. The lines to
    paste are checked as those of the cluster file are. With `--weights`, it shows where a model's
    weights are read soonest, and what the GPUs cost that wait for them (docs/serving.md).

    `-o json` prints a `Recommendation` with `workloads`, `pools` of `{name, fields, workloads,
    allocationsPerNode, isolation, alsoToChange, before, after}`, and what all of them take
    `before` and `after`. With `--weights` it prints a `WeightList` of `{name, option, newNode,
    sameNode, waiting, storage}`: seconds, and money a month. What is not known is null.
    """
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
    if (gpu is None and gpus is not None) or None not in (gpu, pool):
        raise typer.BadParameter("name either a pool of a cluster, or a GPU model by --gpu")
    if gpu is None and cluster is None:
        cluster = only_cluster(context)
    if from_ is not None and given:
        raise typer.BadParameter(f"--from takes the place of --{next(iter(given))}")
    if weights is None and starts is not None:
        raise typer.BadParameter("--starts counts replicas that load --weights")
    if weights is not None and (from_ is not None or given.keys() - {"gpusPerPod"}):
        raise typer.BadParameter("--weights goes with --gpus-per-pod and --starts alone")
    clusters = None if cluster is None else repository_of(context).clusters
    target = _target(clusters, cluster or "", pool, gpu, gpus)
    if weights is not None:
        _print_weights(target, weights, gpus_per_pod, starts, output)
    else:
        _print_sharing(target, name, given, from_, output)


def _target(
    clusters: Path | None, cluster: str, pool: str | None, gpu: str | None, gpus: int | None
) -> "Target":
    from gpuplane.reports.recommendation.target import model_target, pool_target, read_cluster

    content = None if clusters is None else read_cluster(clusters, cluster)
    if content is not None and gpu is None:
        return pool_target(content, pool)
    return model_target(gpu or "", gpus, content)


def _print_sharing(
    target: "Target", name: str, given: dict[str, Any], from_: Path | None, output: DocumentOutput
) -> None:
    from gpuplane.reports.recommendation import recommendation_table as shown
    from gpuplane.reports.recommendation.assumptions import assumption_notes
    from gpuplane.reports.recommendation.recommendation import recommend
    from gpuplane.reports.recommendation.workload import given_workload, read_workloads

    workloads = given_workload(name, given) if from_ is None else read_workloads(from_)
    found = recommend(workloads, target)
    section = Section(
        title="Recommendation",
        tables=shown.recommendation_tables(found),
        notes=shown.recommendation_notes(found),
        blocks=shown.pool_blocks(found),
        first=assumption_notes(found),
    )
    print_found(ReportKind.RECOMMENDATION, shown.recommendation_fields(found), section, output)


def _print_weights(
    target: "Target", size: str, gpus: int | None, starts: int | None, output: DocumentOutput
) -> None:
    from gpuplane.reports.recommendation import weight_table as shown
    from gpuplane.reports.recommendation.weights import STARTS, read_size, weight_ways
    from gpuplane.workloads.serving.least_part import least_part

    weights = read_size(size)
    part = least_part(weights, target.hardware, target.most_nodes, target.pool.facts, gpus)
    started = STARTS if starts is None else starts
    found = weight_ways(weights, target, part.gpus, part.resource, started)
    section = Section(
        title="Weights",
        tables=(shown.weight_table(found),),
        notes=shown.weight_notes(),
        first=(shown.weight_sentence(found),),
    )
    print_found(ReportKind.WEIGHTS, shown.weight_fields(found), section, output)
