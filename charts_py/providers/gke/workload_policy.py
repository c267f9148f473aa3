"""How GKE places the nodes of racks."""

from charts_py.cluster_file.provider import GkeSettings
from charts_py.platform.hardware import NodeHardware
from charts_py.platform.platform import PlatformPool


def stands_in_a_rack(hardware: NodeHardware | None, gke: GkeSettings | None) -> bool:
    """Return whether the nodes of such hardware are kept in one NVLink domain."""
    is_rack = hardware is not None and hardware.model.nvlink_domain is not None
    return is_rack and gke is not None and gke.workload_policy is not None


def workload_policy_of(pool: PlatformPool, gke: GkeSettings) -> str | None:
    """Return the policy that keeps a pool in one NVLink domain; None for GPUs without one.

    https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037, examples/gke-a4x
    """
    return gke.workload_policy if stands_in_a_rack(pool.hardware, gke) else None
