import datetime as dt
from typing import Any

import pytest
from msgspec.structs import replace

from gpus.sharing import SharingKind
from gpus.taint import Taint
from policies.admission import Admission, Review, User
from policies.document import Document
from policies.engine import Engine
from policies.finding import Finding
from policies.pod import Pod
from policies.reach import Offer
from policies.rule import Context, Rule
from policies.settings import (
    NamespaceSettings,
    OfferedResource,
    PoolSettings,
    QueueScheduler,
    Settings,
)

GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
GPU_TOLERATION = {
    "key": "nvidia.com/gpu",
    "operator": "Equal",
    "value": "present",
    "effect": "NoSchedule",
}
SPOT_TAINT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")


def _pool(
    name: str, resource: OfferedResource, labels: dict[str, str], *taints: Taint, **more: Any
) -> PoolSettings:
    return PoolSettings(
        name=name,
        vendor="nvidia",
        resources=(resource,),
        cpu=192,
        memory=2048 * 2**30,
        labels={"gpuplane.io/pool": name, **labels},
        taints=(GPU_TAINT, *taints),
        **more,
    )


SETTINGS = Settings(
    cluster="test",
    pools=(
        _pool(
            "h100",
            OfferedResource("nvidia.com/gpu", 8),
            {
                "gpuplane.io/gpu-model": "h100",
                "gpuplane.io/purchase": "reserved",
                "gpuplane.io/interconnect": "efa",
                "gpuplane.io/nvlink": "true",
            },
            kept_millicpu=570,
            daemons={"cpu": "20m", "memory": "84Mi"},
            disk=1000 * 2**30,
            others={"vpc.amazonaws.com/efa": 32},
        ),
        _pool(
            "a100-spot",
            OfferedResource("nvidia.com/gpu", 4),
            {"gpuplane.io/gpu-model": "a100", "gpuplane.io/purchase": "spot"},
            SPOT_TAINT,
        ),
        _pool(
            "a100-mig",
            OfferedResource("nvidia.com/mig-1g.10gb", 56, SharingKind.MIG, "1g.10gb"),
            {"gpuplane.io/gpu-model": "a100"},
            others={"rdma/ib": None},
        ),
        _pool(
            "t4",
            OfferedResource("nvidia.com/gpu.shared", 16, SharingKind.TIME_SLICING),
            {"gpuplane.io/gpu-model": "t4"},
        ),
    ),
    namespaces={
        "training": NamespaceSettings(
            team="research",
            purpose="training",
            default_priority="training",
            priorities=("training", "batch"),
            labels={"gpuplane.io/team": "research", "gpuplane.io/cost-center": "4711"},
        ),
        "serving": NamespaceSettings(team="serving", purpose="inference"),
        "plain": NamespaceSettings(team="plain", purpose="batch"),
        "spot": NamespaceSettings(team="spot", purpose="batch", spot=True),
        "granted": NamespaceSettings(team="granted", purpose="batch", pools=("a100-spot", "t4")),
    },
    reserved_priority_classes=("system-node-critical",),
)

QUEUES = QueueScheduler("volcano", queue_annotation="scheduling.volcano.sh/queue-name")
"""Those of a scheduler that reads an annotation."""
LABELLED_QUEUES = QueueScheduler(
    "kai-scheduler",
    queue_label="kai.scheduler/queue",
    labels={"kai.scheduler/preemptibility": "preemptible"},
)
"""Those of one that reads labels."""


@pytest.fixture(scope="session")
def settings() -> Settings:
    return SETTINGS


@pytest.fixture(scope="session")
def dra_pool() -> PoolSettings:
    """A pool whose GPUs a DRA driver allocates, so that pods can ask for them by two names."""
    whole = OfferedResource("nvidia.com/gpu", 8)
    by_class = OfferedResource(
        "deviceclass.resource.kubernetes.io/gpu.nvidia.com", 8, same_as="nvidia.com/gpu"
    )
    return replace(_pool("dra", whole, {}), resources=(whole, by_class))


TODAY = dt.date(2026, 11, 21)


def gpu_pod(container: Document | None = None, /, **spec: Any) -> Document:
    """Make a pod with one container that limits nvidia.com/gpu to 1, unless told otherwise."""
    train = {"name": "train", "resources": {"limits": {"nvidia.com/gpu": 1}}}
    return {"metadata": {"name": "pod"}, "spec": {"containers": [train | (container or {})]} | spec}


def affinity(*terms: Any) -> Document:
    """Make the affinity of a pod whose node must meet one of the terms."""
    required = {"nodeSelectorTerms": list(terms)}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def found(
    rule: Rule,
    document: Document,
    namespace: str = "plain",
    creator: User | None = None,
    **changes: Any,
) -> list[Finding]:
    """Evaluate one rule on a pod in a namespace; settings by name."""
    settings = replace(SETTINGS, **changes)
    offer = Offer(settings.pools, settings.absent_labels)
    known = settings.namespaces.get(namespace)
    context = Context(settings, offer, namespace, known, creator)
    if not rule.applies(settings) or not rule.concerns(context):
        return []
    return list(rule.evaluate(Pod(document, offer.names.is_gpu), context))


def message(findings: list[Finding]) -> str:
    (said,) = messages(findings)
    return said


def messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


def admit(
    document: Document,
    namespace: str = "plain",
    review: dict[str, Any] | None = None,
    **changes: Any,
) -> Admission:
    """Admit a pod in a namespace; `review` and settings by name."""
    engine = Engine(replace(SETTINGS, **changes))
    return engine.admit(document, Review(namespace, TODAY, **(review or {})))


def image_volumes(weights: str, unnamed: str) -> list[Any]:
    """Return volumes, of which these two mount images, and others none that is wrong."""
    return [
        {"name": "data", "emptyDir": {}},
        {"name": "weights", "image": {"reference": weights}},
        {"image": {"reference": unnamed}},
        {"name": "ours", "image": {"reference": "ghcr.io/acme/model:1"}},
        {"name": "malformed", "image": {"reference": 1}},
        {"name": "empty", "image": {"reference": ""}},
        {"name": "worse", "image": []},
        "worst",
    ]
