"""The review that the webhook is measured with: a training pod that needs three fixes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gpus.taint import Taint
from policies.settings import NamespaceSettings, OfferedResource, PoolSettings, Settings

if TYPE_CHECKING:
    from policies.document import Document

_POOLS = (("h100", 8, "reserved"), ("a100", 8, "reserved"), ("h100-spot", 8, "spot"))
_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
_SPOT_TAINT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")


def settings() -> Settings:
    """Return the settings of a platform with three pools and ten teams."""
    return Settings(
        cluster="benchmark",
        pools=tuple(_pool(*pool) for pool in _POOLS),
        namespaces={f"team-{number}": _namespace(f"team-{number}") for number in range(10)},
        registries=("registry.example.com/",),
        reserved_priority_classes=("system-node-critical", "system-cluster-critical"),
    )


def _pool(name: str, gpus: int, purchase: str) -> PoolSettings:
    return PoolSettings(
        name,
        "nvidia",
        (OfferedResource("nvidia.com/gpu", gpus),),
        cpu=192,
        memory=2048 * 2**30,
        labels={
            "gpuplane.io/pool": name,
            "gpuplane.io/gpu-model": name.partition("-")[0],
            "gpuplane.io/purchase": purchase,
        },
        taints=(_TAINT, _SPOT_TAINT) if purchase == "spot" else (_TAINT,),
    )


def _namespace(team: str) -> NamespaceSettings:
    return NamespaceSettings(
        team,
        "training",
        default_priority="training",
        priorities=("training", "batch"),
        labels={"gpuplane.io/team": team, "gpuplane.io/cost-center": "4711"},
    )


FIXES = ("tolerations", "team-labels", "shared-memory")
"""What the pod needs."""


def review() -> bytes:
    """Return the body of the review."""
    kind = {"group": "", "version": "v1", "kind": "Pod"}
    resource = {"group": "", "version": "v1", "resource": "pods"}
    request = {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        "namespace": "team-3",
        "operation": "CREATE",
        "userInfo": {
            "username": "system:serviceaccount:kube-system:job-controller",
            "groups": ["system:serviceaccounts", "system:authenticated"],
        },
        "object": _pod(),
        "oldObject": None,
        "dryRun": False,
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
    }
    review = {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}
    return json.dumps(review).encode()


def _pod() -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "generateName": "llama-finetune-",
            "namespace": "team-3",
            "labels": {"app": "llama-finetune", "job-name": "llama-finetune"},
            "annotations": {"example.com/commit": "6292cd2"},
        },
        "spec": {
            "restartPolicy": "Never",
            "priorityClassName": "training",
            "serviceAccountName": "default",
            "containers": [_container()],
            "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
            "schedulerName": "default-scheduler",
        },
    }


def _container() -> Document:
    amounts = {"cpu": "90", "memory": "900Gi", "nvidia.com/gpu": "8"}
    return {
        "name": "train",
        "image": "registry.example.com/research/llama-finetune:2026.11.3",
        "command": ["torchrun", "--nproc-per-node=8", "train.py", "--config", "finetune.yaml"],
        "env": [{"name": f"OPTION_{n}", "value": f"value-of-option-{n}"} for n in range(8)],
        "resources": {"limits": amounts, "requests": amounts},
        "volumeMounts": [{"name": "data", "mountPath": "/data"}],
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "imagePullPolicy": "IfNotPresent",
    }
