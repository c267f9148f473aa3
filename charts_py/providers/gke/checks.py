"""Checks of a cluster file that only GKE needs, but for those of networks."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.cluster_file.pool import SharingSpec
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool, feature_problem
from charts_py.providers.definition import is_provisioned_by
from charts_py.providers.gke.machine import initial_nodes_per_zone, zones_of
from gpus.nearest import nearest
from gpus.purchase import Purchase

_DEFAULT = "default"
"""The ComputeClass of pods that select none
(https://cloud.google.com/kubernetes-engine/docs/how-to/run-pods-default-compute-classes)."""

_FOR_A_JOB = "where nodes start only for a job that waits"


def check_location(draft: Draft) -> Iterator[Problem]:
    gke, region = draft.cluster.gke, draft.cluster.region
    is_region = draft.is_read(("region",)) and re.fullmatch(draft.provider.region_pattern, region)
    if gke is None or not is_region:
        return
    zone = draft.provider.zone_pattern.replace("{region}", re.escape(region))
    if gke.location != region and not re.fullmatch(zone, gke.location):
        what = f'"{gke.location}" is not in {region}'
        yield Problem(("gke", "location"), what, f"{region}, or a zone such as {region}-a")


def check_accelerator(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool on GKE whose GPU has no name there."""
    known = draft.catalog.accelerators(draft.provider.name)
    for pool in draft.pools:
        model = pool.hardware.model.name if pool.hardware else None
        if model is not None and model not in known:
            what = f"{model} is not available on GKE"
            yield Problem((*pool.path, "gpu"), what, ", ".join(known), nearest(model, known))


def check_purchases(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose machines are sold in other ways alone."""
    offered = draft.catalog.instance_types[draft.provider.name]
    for pool in draft.pools:
        purchase, machine = pool.spec.purchase, offered.get(pool.spec.instance_type or "")
        sold = (machine.purchases if machine else ()) or draft.provider.purchases
        if machine and purchase in draft.provider.purchases and purchase not in sold:
            what = f'"{purchase}" is not available for {machine.name}'
            yield Problem((*pool.path, "purchase"), what, ", ".join(sold))


def check_sharing(draft: Draft) -> Iterator[Problem]:
    if not is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        return
    for pool in draft.pools:
        if pool.spec.sharing != SharingSpec():
            path = (*pool.path, "sharing")
            yield from feature_problem(draft, path, Feature.COMPUTE_CLASS_SHARING)


def check_mps(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool on GKE that is shared by MPS.

    Google's device plugin mounts `/tmp/nvidia-mps` into a container and nothing else, so that the
    server reaches a client's memory only in the host's IPC namespace, which teams never get.
    pkg/gpu/nvidia/manager.go of https://github.com/GoogleCloudPlatform/container-engine-accelerators
    at 992db81; https://cloud.google.com/kubernetes-engine/docs/how-to/nvidia-mps-gpus
    """
    for pool in draft.pools:
        if pool.facts is not None and pool.sharing.mps > 1:
            what = "MPS on GKE takes pods with hostIPC, which are refused"
            yield Problem((*pool.path, "sharing", "mps"), what, "timeSlicing")


def check_compute_class(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each node that GKE would not keep, and for the name that it reserves."""
    if not is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        return
    for pool in draft.pools:
        if pool.name == _DEFAULT:
            what = f'"{_DEFAULT}" is the ComputeClass of all pods that select none'
            yield Problem(pool.path, what, "another name")
        remedy = f'gke.provisioner "{GkeProvisioner.CONFIG_CONNECTOR}"'
        yield from _kept_nodes(pool, "in a ComputeClass, which keeps no idle nodes", remedy)


def _kept_nodes(pool: DraftPool, why: str, remedy: str) -> Iterator[Problem]:
    nodes = pool.spec.nodes
    for field, count in (("min", nodes.min), ("warm", nodes.warm)):
        if count > 0:
            yield Problem((*pool.path, "nodes", field), f"{count} {why}", f"0, or {remedy}")


def check_queued(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of queued nodes that keeps nodes, or buys them otherwise."""
    for pool in draft.pools:
        if pool.spec.nodes.queued and draft.is_whole((*pool.path, "nodes")):
            yield from _in_a_compute_class(draft, pool)
            yield from _kept_nodes(pool, _FOR_A_JOB, "queued false")
            if draft.is_read((*pool.path, "purchase")):
                yield from _bought_otherwise(pool)


def _in_a_compute_class(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    if is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        what = "a ComputeClass starts nodes for pods, not for jobs that wait"
        allowed = f'false, or gke.provisioner "{GkeProvisioner.CONFIG_CONNECTOR}"'
        yield Problem((*pool.path, "nodes", "queued"), what, allowed)


def _bought_otherwise(pool: DraftPool) -> Iterator[Problem]:
    if pool.spec.purchase is not Purchase.ON_DEMAND:
        what = f'"{pool.spec.purchase}" {_FOR_A_JOB}'
        allowed = f"{Purchase.ON_DEMAND}, or nodes.queued false"
        yield Problem((*pool.path, "purchase"), what, allowed)


def check_initial_nodes(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose kept nodes, rounded up in each zone, exceed its maximum.

    Those that are kept beyond the maximum themselves are a problem of any provider.
    """
    if not is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
        return
    if not all(draft.is_read(path) for path in (("region",), ("gke", "location"))):
        return
    for pool in draft.pools:
        is_read = draft.is_whole((*pool.path, "nodes")) and draft.is_whole((*pool.path, "zones"))
        if is_read and pool.spec.nodes.kept <= pool.spec.nodes.max:
            yield from _beyond_maximum(draft, pool)


def _beyond_maximum(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    zones = zones_of(pool.spec, draft.cluster)
    per_zone = initial_nodes_per_zone(pool.spec, draft.cluster)
    if per_zone * zones > pool.spec.nodes.max:
        what = (
            f"{pool.spec.nodes.max}, but the pool starts with {per_zone} in each of {zones} zones"
        )
        allowed = f"at least {per_zone * zones}, or fewer zones in pools.{pool.name}.zones"
        yield Problem((*pool.path, "nodes", "max"), what, allowed)
