"""Pools on GKE whose GPUs would talk over a network that their machines do not have."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.feature_problem import feature_problem
from charts_py.platform.hardware import NodeHardware
from charts_py.providers.gke.networks import networks_needed
from charts_py.providers.provisioned_by import is_provisioned_by
from gpus.interconnect import Interconnect


def check_networks(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that would have its interconnect by name alone.

    GKE makes the networks of a ComputeClass, and takes those of a node pool as they are given.
    """
    for pool in draft.pools:
        if pool.hardware is None or not _talks_over_them(pool.hardware):
            continue
        path = (*pool.path, "interconnect")
        if is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
            yield from feature_problem(draft, path, Feature.ACCELERATOR_NETWORKS)
        elif is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
            yield from _too_few(draft, pool, pool.hardware)


def _talks_over_them(hardware: NodeHardware) -> bool:
    """Return whether it needs networks; another check reports what the machine does not have."""
    machine = hardware.machine
    is_had = machine is None or machine.rdma is hardware.interconnect
    return is_had and networks_needed(hardware) > 0


def _too_few(draft: Draft, pool: DraftPool, hardware: NodeHardware) -> Iterator[Problem]:
    gke, kind = draft.cluster.gke, hardware.interconnect
    if gke is None or not draft.is_whole(("gke", "networks")):
        return
    given, needed = len(gke.networks.get(kind, ())), networks_needed(hardware)
    if given < needed:
        what = f"{kind} takes {needed} networks, and gke.networks.{kind} has {given}"
        allowed = f'{needed} networks there, or "{Interconnect.ETHERNET}" here'
        yield Problem((*pool.path, "interconnect"), what, allowed)
