"""GPU pods as a team writes them, for namespaces with restricted pod security."""

from collections.abc import Mapping

from charts_py.objects.document import Document

IMAGE = "registry.example.com/team/train:1.0.0"
_GPU_TAINTS = ("nvidia.com/gpu", "amd.com/gpu")


def gpu_pod(
    name: str,
    namespace: str,
    gpus: Mapping[str, int],
    *,
    cpu: str | None = None,
    priority: str | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Document:
    """Return a pod that asks for GPUs and tolerates their nodes' taints.

    CPU is requested without a limit; None leaves it to the namespace's LimitRange.
    """
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "annotations": dict(annotations or {})},
        "spec": gpu_pod_spec(gpus, cpu=cpu, priority=priority),
    }


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
