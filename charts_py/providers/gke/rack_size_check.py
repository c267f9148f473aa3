"""Node pools on GKE with more nodes than a rack has."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.hardware import NodeHardware
from charts_py.providers.gke.workload_policy import stands_in_a_rack
from charts_py.providers.provisioned_by import is_provisioned_by


def check_rack_size(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose workload policy has no place for all of its nodes.

    The policy binds a whole node pool to one NVLink domain (`1x72`: 18 nodes of 4 GPUs); of a
    ComputeClass GKE makes as many node pools as it needs.
    https://docs.cloud.google.com/compute/docs/instance-groups/about-workload-policies
    """
    if not is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
        return
    for pool in draft.pools:
        if pool.hardware is not None and stands_in_a_rack(pool.hardware, draft.cluster.gke):
            yield from _beyond_a_rack(pool, pool.hardware)


def _beyond_a_rack(pool: DraftPool, hardware: NodeHardware) -> Iterator[Problem]:
    gpus = hardware.model.nvlink_domain or 0
    nodes = gpus // hardware.gpus
    if pool.spec.nodes.max > nodes:
        what = f"{pool.spec.nodes.max} nodes; the rack of gke.workloadPolicy has {gpus} GPUs"
        yield Problem(
            (*pool.path, "nodes", "max"), what, f"at most {nodes}, and a pool for each rack"
        )
