"""GPU pods: as a team writes them for restricted pod security, and with nothing but the GPUs."""

from collections.abc import Mapping, Sequence

from charts_py.objects.document import Document
from tests.e2e.manifest import manifest

GPU = "nvidia.com/gpu"
IMAGE = "registry.example.com/team/train:1.0.0"
_GPU_TAINTS = ("nvidia.com/gpu", "amd.com/gpu")


def gpu_pod(
    name: str,
    namespace: str,
    gpus: Mapping[str, int],
    *,
    cpu: str | None = None,
    priority: str | None = None,
    **metadata: object,
) -> Document:
    """Return a pod that asks for GPUs and tolerates their nodes' taints.

    CPU is requested without a limit; None leaves it to the namespace's LimitRange.
    """
    spec = gpu_pod_spec(gpus, cpu=cpu, priority=priority)
    return manifest("v1 Pod", name, namespace, metadata, spec=spec)


def gpu_pod_spec(
    gpus: Mapping[str, int], *, cpu: str | None = None, priority: str | None = None
) -> Document:
    """Return the spec of such a pod, which stands in templates, too."""
    requests = {} if cpu is None else {"cpu": cpu}
    limits = {resource: str(count) for resource, count in gpus.items()}
    container = {
        "name": "main",
        "image": IMAGE,
        "resources": {"requests": {**requests, **limits}, "limits": limits},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
    spec: Document = {
        "containers": [container],
        "tolerations": [{"key": key, "operator": "Exists"} for key in _GPU_TAINTS],
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
    }
    return spec if priority is None else {**spec, "priorityClassName": priority}


def required(terms: Sequence[object]) -> Document:
    """Return an affinity to nodes that meet one of some terms."""
    stated = {"nodeSelectorTerms": terms}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": stated}}


def terms_of(pod: Document) -> list[Document]:
    """Return the terms of which the node of a pod must meet one."""
    stated = pod["spec"]["affinity"]["nodeAffinity"]
    return list(stated["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"])


def plain_pod(name: str, namespace: str, count: int = 1) -> Document:
    """Return a pod that limits its GPUs, and has neither toleration nor /dev/shm."""
    return manifest("v1 Pod", name, namespace, spec=plain_spec(count))


def requesting_pod(name: str, namespace: str, count: int = 1) -> Document:
    """Return such a pod that requests its GPUs without a limit, which Kubernetes refuses."""
    pod = plain_pod(name, namespace, count)
    del pod["spec"]["containers"][0]["resources"]["limits"]
    return pod


def plain_spec(count: int = 1) -> Document:
    """Return the spec of a plain pod, which stands in templates, too.

    It keeps to restricted pod security, which nobody but its author can know that it bears.
    """
    spec = gpu_pod_spec({GPU: count})
    del spec["tolerations"]
    return spec
