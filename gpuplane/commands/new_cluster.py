"""`gpuplane new cluster`, which asks at a terminal for what a cluster lacks."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.questions import ask, at_terminal, choose
from gpuplane.completion import complete_models, complete_providers
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from charts_py.cluster_file.source import Source
    from gpuplane.new_repository.asked_cluster import AskedCluster

Provider = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="eks, gke, aks or onprem.", autocompletion=complete_providers
    ),
]
Region = Annotated[
    str | None, typer.Option(metavar="NAME", help="Of the cloud, or the data centre's name.")
]
Gpu = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="GPU model; the machine type follows from it.",
        autocompletion=complete_models,
    ),
]
Nodes = Annotated[int | None, typer.Option(help="At most; on-prem, as many as there are.")]
Gpus = Annotated[int | None, typer.Option(help="On-prem: GPUs of each node.")]
Cpu = Annotated[int | None, typer.Option(help="On-prem: CPUs of each node.")]
Memory = Annotated[
    str | None, typer.Option(metavar="SIZE", help="On-prem: memory of each node, such as 2Ti.")
]
Purpose = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="training, inference, batch or notebooks; training by default."
    ),
]
Teams = Annotated[
    list[str] | None,
    typer.Option("--team", metavar="NAME", help="Team that shares it; may be repeated."),
]


_ASKED_AS = {
    "name": "NAME",
    "nodes": "nodes, at most",
    "gpus": "GPUs of each node",
    "cpu": "CPUs of each node",
    "memory": "memory of each node",
    "teams": "teams, separated by commas",
}
"""Questions that the name of a field does not ask."""


def new_cluster(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="What it is called, and its file.")
    ] = None,
    *,
    provider: Provider = None,
    region: Region = None,
    gpu: Gpu = None,
    nodes: Nodes = None,
    gpus: Gpus = None,
    cpu: Cpu = None,
    memory: Memory = None,
    purpose: Purpose = None,
    team: Teams = None,
) -> None:
    r"""Write the smallest cluster file that can be rendered.

    ```console
    gpuplane new cluster train --provider eks --region us-east-1 --gpu H100-SXM \
      --nodes 4 --team research
    gpuplane new cluster lab --provider onprem --region berlin --gpu L40S \
      --nodes 2 --gpus 4 --cpu 64 --memory 512Gi
    ```

    It is clusters/NAME.yaml, with one pool of the machines that have most of these GPUs, and with
    the teams that share it. What people add next stands there as comments. `gpuplane synth` names
    the placeholders that are left. A file that is there is never replaced. At a terminal, what is
    missing is asked for.
    """
    from charts_py.cluster_file.cluster_files import list_cluster_files
    from charts_py.load import read_fleet
    from gpuplane.new_repository.asked_cluster import AskedCluster, checked
    from gpuplane.new_repository.new_cluster import write_cluster

    clusters = repository_of(context).clusters
    files = list_cluster_files(clusters)
    teams = tuple(team or ())
    asked = AskedCluster(name, provider, region, gpu, nodes, gpus, cpu, memory, purpose, teams)
    if at_terminal():
        asked = _with_answers(asked, clusters, read_fleet(files.fleet))
    print_styled(str(write_cluster(checked(asked), clusters, files.fleet)))


def _with_answers(asked: "AskedCluster", clusters: Path, fleet: "Source") -> "AskedCluster":
    """Ask for whatever is missing; raise what wrong options raise before the first question."""
    from gpuplane.new_repository.asked_cluster import (
        answer_problems,
        answered,
        checked,
        missing,
        with_usual,
    )

    checked(with_usual(asked))
    while (question := next(missing(asked), None)) is not None:
        check = partial(answer_problems, clusters, fleet, asked, question)
        what, default = _ASKED_AS.get(question.field, question.field), str(question.example)
        if question.names:
            answer = choose(what, dict.fromkeys(question.names, ""), default, check)
        else:
            answer = ask(what, default, check)
        asked = answered(asked, question, answer)
    return asked
