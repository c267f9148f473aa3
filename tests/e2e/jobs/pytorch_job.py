"""PyTorchJobs of two pods, each on a node of its own: as `gpuplane new` prints it, and by hand."""

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.workloads.asked import NO_CHECKPOINT, Asked
from gpuplane.workloads.workload import new_workload

GPUS = 8
_POOL = "h100"
_IMAGE = "registry.example.com/team/train:1.0.0"
_MEMORY = "1600Gi"
_SHM = "/dev/shm"  # noqa: S108 # a volume of the pod's own


def new_pytorch_job(platform: Platform, namespace: str, priority: str) -> Document:
    """Return a job as `gpuplane new` prints it; no provisioner of volumes is here."""
    (team,) = (each.team_name for each in platform.namespaces if each.name == namespace)
    asked = Asked(
        kind="pytorchjob",
        name=f"{priority}-job",
        team=team,
        namespace=namespace,
        nodes=2,
        image=_IMAGE,
        priority=priority,
        checkpoint=NO_CHECKPOINT,
    )
    (job,) = new_workload(asked, platform).documents
    return job


def pytorch_job(platform: Platform, namespace: str, priority: str) -> Document:
    """Return a job with a master, for which its worker waits, as guides have it."""
    labels = dict(policy_settings(platform).namespaces[namespace].labels)
    template = {"metadata": {"labels": labels}, "spec": _pod(priority)}
    replicas = {"Master": 1, "Worker": 1}
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": f"{priority}-job", "namespace": namespace},
        "spec": {
            "nprocPerNode": str(GPUS),
            "runPolicy": {"cleanPodPolicy": "Running", "backoffLimit": 3},
            "pytorchReplicaSpecs": {
                role: {"replicas": count, "restartPolicy": "OnFailure", "template": template}
                for role, count in replicas.items()
            },
        },
    }


def _pod(priority: str) -> Document:
    resources = {"nvidia.com/gpu": str(GPUS), "cpu": "180", "memory": _MEMORY}
    return {
        "priorityClassName": priority,
        "nodeSelector": {"gpuplane.io/pool": _POOL},
        "tolerations": [
            {
                "key": "nvidia.com/gpu",
                "operator": "Equal",
                "value": "present",
                "effect": "NoSchedule",
            }
        ],
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 1000,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [
            {
                # The name by which the operator finds it.
                "name": "pytorch",
                "image": _IMAGE,
                "command": ["torchrun", "train.py"],
                "resources": {"requests": dict(resources), "limits": dict(resources)},
                "securityContext": {
                    "allowPrivilegeEscalation": False,
                    "capabilities": {"drop": ["ALL"]},
                },
                "volumeMounts": [{"name": "shm", "mountPath": _SHM}],
            }
        ],
        "volumes": [{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "64Gi"}}],
    }
