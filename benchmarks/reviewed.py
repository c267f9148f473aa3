"""What rules and webhook are measured with: settings, pods, and the review of a training pod."""

import json
from pathlib import Path
from typing import Any

from gpus.taint import Taint
from policies.document import Document
from policies.settings import NamespaceSettings, OfferedResource, PoolSettings, Settings

_FOLDER = Path(__file__).parent
_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
_SPOT_TAINT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")
FIXES = ("tolerations", "team-labels", "shared-memory")
"""What the pod of the review needs."""


def settings() -> Settings:
    """Return the settings of a platform with three pools and ten teams."""
    return Settings(
        cluster="benchmark",
        pools=(_pool("h100"), _pool("a100"), _pool("h100-spot", "spot")),
        namespaces={f"team-{number}": _namespace(f"team-{number}") for number in range(10)},
        registries=("registry.example.com/",),
        reserved_priority_classes=("system-node-critical", "system-cluster-critical"),
    )


def rule_settings() -> Settings:
    """Return the settings of a platform with one team, which has a quota on one of two pools."""
    return Settings(
        cluster="benchmark",
        pools=(_pool("h100"), _pool("h100-spot", "spot")),
        namespaces={"research": _namespace("research", pools=("h100",))},
        registries=("ghcr.io/acme",),
    )


def _pool(name: str, purchase: str = "reserved") -> PoolSettings:
    return PoolSettings(
        name,
        "nvidia",
        (OfferedResource("nvidia.com/gpu", 8),),
        cpu=192,
        memory=2048 * 2**30,
        labels={
            "gpuplane.io/pool": name,
            "gpuplane.io/gpu-model": name.partition("-")[0],
            "gpuplane.io/purchase": purchase,
        },
        taints=(_TAINT, _SPOT_TAINT) if purchase == "spot" else (_TAINT,),
    )


def _namespace(team: str, pools: tuple[str, ...] | None = None) -> NamespaceSettings:
    return NamespaceSettings(
        team,
        "training",
        default_priority="training",
        priorities=("training", "batch"),
        labels={"gpuplane.io/team": team, "gpuplane.io/cost-center": "4711"},
        pools=pools,
    )


def review() -> bytes:
    return json.dumps(_read("review.json")).encode()


def gpu_pod() -> Document:
    """Return a pod as a Job creates it and the API server completes it; it lacks four things."""
    pod = cpu_pod()
    pod["spec"]["nodeSelector"] = {"gpuplane.io/gpu-model": "h100"}
    pod["spec"]["containers"][0]["resources"]["requests"]["nvidia.com/gpu"] = "8"
    return pod


def cpu_pod() -> Document:
    pod: Document = _read("job_pod.json")
    return pod


def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_bytes())
