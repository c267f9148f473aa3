"""The labels by which GKE says where nodes stand in the data center.

- the labels: https://cloud.google.com/ai-hypercomputer/docs/workloads/schedule-gke-workloads-tas
- the machines that have them: https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037
  (examples/gke-*/kueue-configuration.yaml.tftpl)
"""

from charts_py.platform.hardware import NodeHardware

TOPOLOGY_LABELS = tuple(
    f"cloud.google.com/gce-topology-{level}" for level in ("block", "subblock", "host")
)
"""The outermost first."""

_MACHINES = frozenset(
    {"a3-highgpu-8g", "a3-megagpu-8g", "a3-ultragpu-8g", "a4-highgpu-8g", "a4x-highgpu-4g"}
)


def topology_levels(hardware: NodeHardware) -> tuple[str, ...]:
    """Return the labels of a node by its machine type; none where Google names no place."""
    name = hardware.machine.name if hardware.machine else ""
    return TOPOLOGY_LABELS if name in _MACHINES else ()
