"""What `gpuplane plan` takes: nodes and workloads that run, and what fails it."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.platform_repository import PlatformRepository
from gpus.nearest import nearest, nearest_hint
from policies.admission import today

if TYPE_CHECKING:
    from charts_py.objects.document import Document
    from gpuplane.plan.planning import PlanRequest
    from gpuplane.plan.running_nodes import RunningNodes


class FailOn(StrEnum):
    """The mildest verdict that fails a plan, as `charts_py/cluster_file/plan_policy.py` has it.

    The webhook's image has this module, and no `charts_py`.
    """

    ROLLING = "rolling"
    DISRUPTIVE = "disruptive"
    IMMUTABLE = "immutable"
    DANGEROUS = "dangerous"
    NEVER = "never"


def _fail_on(text: str) -> FailOn:
    """Return the verdict that is asked for; raises typer.BadParameter for one that cannot be."""
    names = [each.value for each in FailOn]
    if text in names:
        return FailOn(text)
    raise typer.BadParameter(
        f'a plan cannot fail on "{text}"; allowed: {", ".join(names)}'
        f"{nearest_hint(nearest(text, names))}"
    )


def _complete_fail_on(incomplete: str) -> list[str]:
    return [each.value for each in FailOn if each.value.startswith(incomplete)]


Nodes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[CLUSTER/]POOL=COUNT",
        help="How many nodes of a pool run now; by default, anything from its minimum to its "
        "maximum.",
    ),
]
Workloads = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE",
        help="What runs in the cluster: files or folders of `kubectl get -A -o yaml`, or - for "
        "stdin. Takes exactly one CLUSTER, and counts its Nodes.",
    ),
]
Fail = Annotated[
    FailOn | None,
    typer.Option(
        "--fail-on",
        parser=_fail_on,
        metavar=f"<{'|'.join(FailOn)}>",
        autocompletion=_complete_fail_on,
        help="Exit with 1 on this verdict or a worse one; by default plan.failOn of "
        "clusters/fleet.yaml.",
        show_default=False,
    ),
]

Comment = Annotated[
    bool,
    typer.Option(
        "--comment",
        help="In GitHub or GitLab CI, keep the plan up to date in one comment on the pull request, "
        "and its verdict in a label.",
    ),
]


def plan_request(
    repository: PlatformRepository,
    names: tuple[str, ...],
    base: str | None,
    nodes: tuple[str, ...],
    workloads: tuple[str, ...],
) -> "PlanRequest":
    """Return what is asked for; raises typer.BadParameter for options that cannot be."""
    from gpuplane.plan.planning import PlanRequest
    from gpuplane.plan.running_nodes import exported_nodes

    if workloads and len(names) != 1:
        raise typer.BadParameter(
            "they run in one cluster; name exactly one CLUSTER", param_hint="--workloads"
        )
    listed = _read(workloads)
    return PlanRequest(
        clusters=repository.clusters,
        dist=repository.dist,
        today=today(),
        names=names,
        base=base,
        running=_running(names, nodes),
        exported=exported_nodes(names[0], listed) if listed else {},
        workloads={names[0]: listed} if workloads else {},
    )


def _read(named: tuple[str, ...]) -> list["Document"]:
    """Return the objects of an export, Lists as they are."""
    if not named:
        return []
    from gpuplane.admission.manifest_file import read_manifest_file
    from gpuplane.admission.manifest_sources import read_sources
    from gpuplane.standard_streams import read_stdin

    sources = read_sources(named, read_stdin).read
    return [
        one.document
        for source in sources
        for one in read_manifest_file(source.content, source.shown_as)
    ]


def _running(names: tuple[str, ...], nodes: tuple[str, ...]) -> "RunningNodes":
    from gpuplane.plan.running_nodes import NodeCountError, counted_nodes

    try:
        return counted_nodes(nodes, names)
    except NodeCountError as error:
        raise typer.BadParameter(str(error), param_hint="--nodes") from error
