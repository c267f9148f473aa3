"""The part of a plan about another minor version of Kubernetes."""

from collections.abc import Iterable, Iterator

from gpuplane.plan.kubernetes_upgrade import Controller, KubernetesUpgrade
from gpuplane.plan.outage_part import outage_part
from gpuplane.plan.part import Part, reported_objects
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.sources import source
from gpuplane.tables import Table

_CONTROLLERS = ("Controller", "Version", "Supports Kubernetes", "Source")


def kubernetes_part(plan: ClusterPlan) -> Iterator[Part]:
    upgrade = plan.upgrade
    if upgrade is None:
        return
    title = f"Kubernetes: {upgrade.old} to {upgrade.new}"
    if not upgrade.minors:
        note = (
            f"What is rendered is for {upgrade.new}, and was for {upgrade.old}. No control plane "
            f"goes back a minor version: merge it only where it runs {upgrade.new}."
        )
        yield Part(title, notes=(note,))
        return
    out = next(outage_part(upgrade.outages), Part(""))
    yield Part(
        title,
        tuple(reported_objects(upgrade.objects)),
        (*out.tables, *_controllers(upgrade.controllers)),
        out.notes,
        (*(upgrade.commands(plan.after) if plan.after else ()), *out.commands),
        steps=tuple(_steps(upgrade)),
    )


def _controllers(found: Iterable[Controller]) -> Iterator[Table]:
    rows = tuple(
        (each.name, each.version, str(each.supported), each.supported.source)
        for each in found
        if each.supported is not None
    )
    if rows:
        yield Table(_CONTROLLERS, rows, words=len(_CONTROLLERS))


def _steps(upgrade: KubernetesUpgrade) -> Iterator[str]:
    yield _first(upgrade)
    *before, last = upgrade.minors
    through = f", one minor version at a time, through {', '.join(before)}" if before else ""
    yield (
        f"Upgrade the control plane from {upgrade.old} to {last}{through}. Merging this does not."
    )
    nodes = f"{upgrade.way.nodes_sentence} " if upgrade.way else ""
    yield (
        f"{nodes}A kubelet may be three minor versions older than the API server, and never newer "
        f"({source('version_skew')})."
    )
    yield (
        f"Merge this, or promote it, once the control plane runs {last}: an older one may not know "
        "all that is rendered."
    )


def _first(upgrade: KubernetesUpgrade) -> str:
    """Name the controllers that may not work on the way, and those of which nothing is known."""
    excluded = [f"{each.name} {each.version} ({each.supported})" for each in upgrade.excluding]
    unknown = [each.name for each in upgrade.controllers if each.supported is None]
    said = f"Have controllers that support {upgrade.new}"
    said += f"; these do not say so: {', '.join(excluded)}." if excluded else "."
    if unknown:
        said += f" Nothing is known here of {', '.join(unknown)}: read their release notes."
    return said
