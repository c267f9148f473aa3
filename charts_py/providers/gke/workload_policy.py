"""How GKE places the nodes of racks."""

from charts_py.platform.platform import PlatformPool
from charts_py.spec.provider import GkeSettings


def workload_policy_of(pool: PlatformPool, gke: GkeSettings) -> str | None:
    """Return the policy that keeps a pool in one NVLink domain; None for GPUs without one.

    https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037, examples/gke-a4x
    """
    return gke.workload_policy if pool.hardware.model.nvlink_domain is not None else None
