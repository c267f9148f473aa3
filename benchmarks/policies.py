"""How long the rules take for one pod, beside decoding the same pod with the standard library.

Run by `python -m benchmarks.policies`. The ratio compares machines; the microseconds do not.
"""

import datetime as dt
import json
import sys
import time
from collections.abc import Callable
from functools import partial

from rich.console import Console
from rich.table import Table

from gpus.taint import Taint
from policies.admission import CREATE, Admission, Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.rule_name import RuleName
from policies.settings import NamespaceSettings, OfferedResource, PoolSettings, Settings

ROUNDS = 40
PODS = 250
"""Pods of one round; its time is their mean. The best round counts, which nothing disturbed."""

GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
SPOT_TAINT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")
TEAM_LABELS = {"gpuplane.io/team": "research", "gpuplane.io/cost-center": "4711"}
FIXES = (
    RuleName.GPU_REQUESTS_EQUAL_LIMITS,
    RuleName.GRANTED_POOLS,
    RuleName.TOLERATIONS,
    RuleName.SHARED_MEMORY,
)
"""What is fixed in the first pod."""
REVIEW = Review("research", dt.date(2026, 11, 21), CREATE)


def main() -> None:
    """Measure and print."""
    engine = Engine(_settings())
    repaired = _repaired(engine)
    table = Table("pod", "bytes", "admit, us", "json.loads, us", "ratio")
    for name, pod in (
        ("four fixes", gpu_pod()),
        ("nothing to fix", repaired),
        ("no GPU", cpu_pod()),
    ):
        source = json.dumps(pod)
        admit = _best(lambda document: engine.admit(document, REVIEW), source)
        decode = _best(partial(_decode, source), source)
        figures = (f"{admit:.1f}", f"{decode:.1f}", f"{admit / decode:.2f}")
        table.add_row(name, str(len(source)), *figures)
    Console().print(table)


def _decode(source: str, _document: Document) -> Document:
    decoded: Document = json.loads(source)
    return decoded


def _best(run: Callable[[Document], object], source: str) -> float:
    """Return the microseconds that one run takes, on documents that no other run has changed."""
    best = float("inf")
    for _ in range(ROUNDS):
        documents = [json.loads(source) for _ in range(PODS)]
        start = time.perf_counter()
        for document in documents:
            run(document)
        best = min(best, time.perf_counter() - start)
    return best / PODS * 1e6


def _repaired(engine: Engine) -> Document:
    admission = engine.admit(gpu_pod(), REVIEW)
    _must(admission, tuple((rule, Effect.FIXED) for rule in FIXES))
    _must(engine.admit(cpu_pod(), REVIEW), ())
    again = engine.admit(admission.document, REVIEW)
    _must(again, ())
    return again.document


def _must(admission: Admission, expected: tuple[tuple[RuleName, Effect], ...]) -> None:
    found = tuple((outcome.finding.rule, outcome.effect) for outcome in admission.outcomes)
    if found != expected:
        sys.exit(f"the pod is not what this measures: {found} instead of {expected}")


def _settings() -> Settings:
    return Settings(
        cluster="benchmark",
        pools=(
            _pool("h100", {"gpuplane.io/purchase": "reserved"}, GPU_TAINT),
            _pool("h100-spot", {"gpuplane.io/purchase": "spot"}, GPU_TAINT, SPOT_TAINT),
        ),
        namespaces={
            "research": NamespaceSettings(
                team="research",
                purpose="training",
                default_priority="training",
                priorities=("training", "batch"),
                labels=TEAM_LABELS,
                pools=("h100",),
            )
        },
        registries=("ghcr.io/acme",),
    )


def _pool(name: str, labels: dict[str, str], *taints: Taint) -> PoolSettings:
    return PoolSettings(
        name=name,
        vendor="nvidia",
        resources=(OfferedResource("nvidia.com/gpu", 8),),
        cpu=192,
        memory=2048 * 2**30,
        labels={"gpuplane.io/pool": name, "gpuplane.io/gpu-model": "h100", **labels},
        taints=taints,
    )


def gpu_pod() -> Document:
    """Return a pod as a Job creates it and the API server completes it; it lacks four things."""
    pod = _pod()
    pod["spec"]["nodeSelector"] = {"gpuplane.io/gpu-model": "h100"}
    pod["spec"]["containers"][0]["resources"]["requests"]["nvidia.com/gpu"] = "8"
    return pod


def cpu_pod() -> Document:
    """Return the same pod without a GPU."""
    return _pod()


def _pod() -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "train-0-x2kfp",
            "generateName": "train-0-",
            "namespace": "research",
            "uid": "0f3e2c11-8a55-4c0b-9a3e-444455556666",
            "creationTimestamp": "2026-11-21T08:00:00Z",
            "labels": {
                "app": "train",
                "batch.kubernetes.io/job-name": "train",
                "batch.kubernetes.io/controller-uid": "5b8f6c5e-1f0e-4f6a-8d0e-111122223333",
                **TEAM_LABELS,
            },
            "annotations": {"example.com/commit": "0c1d9f5b0d2f4b6c8e1a3c5d7e9f1b3d5f7a9c1e"},
            "ownerReferences": [
                {
                    "apiVersion": "batch/v1",
                    "kind": "Job",
                    "name": "train",
                    "uid": "5b8f6c5e-1f0e-4f6a-8d0e-111122223333",
                    "controller": True,
                    "blockOwnerDeletion": True,
                }
            ],
        },
        "spec": {
            "serviceAccountName": "default",
            "schedulerName": "default-scheduler",
            "restartPolicy": "Never",
            "priorityClassName": "training",
            "priority": 100000,
            "preemptionPolicy": "PreemptLowerPriority",
            "containers": [_container()],
            "volumes": [
                {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
                {"name": "config", "configMap": {"name": "train", "defaultMode": 420}},
                {
                    "name": "kube-api-access-7w9qx",
                    "projected": {
                        "sources": [
                            {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}}
                        ],
                        "defaultMode": 420,
                    },
                },
            ],
            "tolerations": [
                _not_ready("node.kubernetes.io/not-ready"),
                _not_ready("node.kubernetes.io/unreachable"),
            ],
        },
    }


def _container() -> Document:
    return {
        "name": "train",
        "image": "ghcr.io/acme/train:1.2.3",
        "command": ["torchrun", "--nnodes=1", "--nproc-per-node=8", "train.py"],
        "args": ["--config", "/etc/train/config.yaml", "--epochs", "10"],
        "env": [{"name": f"VARIABLE_{n}", "value": f"value-{n}"} for n in range(8)],
        "ports": [{"containerPort": 8080, "name": "metrics", "protocol": "TCP"}],
        "resources": {
            "limits": {"cpu": "64", "memory": "512Gi"},
            "requests": {"cpu": "64", "memory": "512Gi"},
        },
        "volumeMounts": [
            {"name": "data", "mountPath": "/data"},
            {"name": "config", "mountPath": "/etc/train"},
            {
                "name": "kube-api-access-7w9qx",
                "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
                "readOnly": True,
            },
        ],
        "imagePullPolicy": "IfNotPresent",
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
        },
    }


def _not_ready(taint: str) -> Document:
    """Return a toleration that the API server gives every pod."""
    return {"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}


if __name__ == "__main__":
    main()
