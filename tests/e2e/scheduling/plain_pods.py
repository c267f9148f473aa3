"""GPU pods as people write them at first: nothing is said but the GPUs."""

from charts_py.objects.document import Document
from tests.e2e.scheduling.team_pods import gpu_pod_spec

GPU = "nvidia.com/gpu"


def plain_pod(name: str, namespace: str, count: int = 1) -> Document:
    """Return a pod that limits its GPUs, and has neither toleration nor /dev/shm."""
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": plain_spec(count)}


def requesting_pod(name: str, namespace: str, count: int = 1) -> Document:
    """Return such a pod that requests its GPUs without a limit, which Kubernetes refuses."""
    pod = plain_pod(name, namespace, count)
    del pod["spec"]["containers"][0]["resources"]["limits"]
    return pod


def plain_spec(count: int = 1) -> Document:
    """Return the spec of the first, which stands in templates, too.

    It keeps to restricted pod security, which nobody but its author can know that it bears.
    """
    spec = gpu_pod_spec({GPU: count})
    del spec["tolerations"]
    return spec
