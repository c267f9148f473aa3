"""What the rules of the linter find in an object."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.components.kueue.api import PRIORITY
from charts_py.components.object_policies import object_policies
from charts_py.load import load_platform
from charts_py.objects.document import Document
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.lint.lint_run import ClusterFacts, GatewayFacts, Listener
from gpuplane.lint.rule import LintContext
from gpuplane.lint.siblings import NOTHING_TOLD
from gpuplane.lint.told import told
from gpuplane.workloads.capacity import Capacity
from gpus.allocator import GPU_DEVICE_CLASS, device_class_resource
from gpus.sharing import SharingKind
from policies.reach import Offer
from policies.settings import (
    NamespaceSettings,
    OfferedResource,
    PoolSettings,
    QueueScheduler,
    Settings,
)
from tests.conftest import CLUSTERS


def _pool(
    name: str, per_node: int, purchase: str, resource: str = "nvidia.com/gpu"
) -> PoolSettings:
    sharing = SharingKind.MIG if "mig" in resource else SharingKind.NONE
    return PoolSettings(
        name=name,
        vendor="nvidia",
        resources=(OfferedResource(resource, per_node, sharing),),
        cpu=192,
        memory=2048 * 2**30,
        labels={"gpuplane.io/pool": name, "gpuplane.io/purchase": purchase},
        fixed_labels={
            "karpenter.sh/capacity-type": (purchase,),
            "topology.kubernetes.io/zone": ("a", "b"),
        },
    )


PLAIN = Settings(
    cluster="test",
    pools=(
        _pool("h100", 8, "reserved"),
        _pool("spot", 8, "spot"),
        _pool("mig", 14, "on-demand", "nvidia.com/mig-1g.10gb"),
        _pool("spot-mig", 7, "spot", "nvidia.com/mig-2g.20gb"),
    ),
    namespaces={
        "train": NamespaceSettings(team="research", purpose="training"),
        "serve": NamespaceSettings(team="search", purpose="inference"),
        "granted": NamespaceSettings(team="batch", purpose="batch", pools=("spot", "spot-mig")),
    },
)
SETTINGS = {
    "plain": PLAIN,
    "dra": replace(
        PLAIN, pools=(_pool("dra", 8, "reserved", device_class_resource(GPU_DEVICE_CLASS)),)
    ),
    "shared": replace(
        PLAIN,
        pools=[
            replace(
                each, resources=(OfferedResource("nvidia.com/gpu", 32, SharingKind.TIME_SLICING),)
            )
            for each in PLAIN.pools[:1]
        ],
    ),
    "kueue": replace(PLAIN, queue_priority=PRIORITY),
    "karpenter": replace(
        PLAIN,
        pools=[
            replace(each, fixed_labels={**each.fixed_labels, "karpenter.sh/nodepool": (each.name,)})
            for each in PLAIN.pools
        ],
    ),
    "unlabelled": replace(PLAIN, pools=[replace(each, fixed_labels={}) for each in PLAIN.pools]),
    "kai": replace(
        PLAIN, queue_scheduler=QueueScheduler("kai-scheduler", queue_label="kai.scheduler/queue")
    ),
    "volcano": replace(
        PLAIN,
        queue_scheduler=QueueScheduler(
            "volcano", queue_annotation="scheduling.volcano.sh/queue-name"
        ),
    ),
}


GPU = "nvidia.com/gpu"
CAPACITIES = {
    "train": [
        Capacity("h100", GPU, 16, 8, 4),
        Capacity("mig", "nvidia.com/mig-1g.10gb", 14, 14, 2),
    ],
    "serve": [Capacity("h100", GPU, 8, 8, 4), Capacity("spot", GPU, 8, 8, 1)],
    "small": [Capacity("h100", GPU, 4, 8, 4)],
}
"""The quotas of namespaces, on nodes with 8 GPUs."""
GATEWAY = GatewayFacts(
    "agentgateway-system",
    "gateway",
    [
        Listener("search", "*.search.example.com", ["serve"]),
        Listener("hub", "notebooks.example.com", ["hub"]),
    ],
)
TRAINING = load_platform(CLUSTERS / "training.yaml", CLUSTERS / "fleet.yaml")
POLICIES = ObjectPolicies([*object_policies(TRAINING)], PLAIN)


@pytest.fixture(scope="session")
def context() -> Callable[..., LintContext]:
    """Make what rules know in a namespace, by the queues of the cluster."""

    def make(
        namespace: str = "train",
        queues: str = "plain",
        kubernetes: str = "1.36",
        beside: Sequence[Document] = (),
        refused_services: Sequence[str] = (),
        claims: int | None = None,
        *,
        has_gateway: bool = False,
        **facts: Any,
    ) -> LintContext:
        settings = SETTINGS[queues]
        facts["gateway"] = GATEWAY if has_gateway else None
        facts["claims"] = {} if claims is None else {namespace: claims}
        facts["refused_services"] = {namespace: refused_services}
        return LintContext(
            ClusterFacts("test", kubernetes, capacities=CAPACITIES, pods={"few": 200}, **facts),
            settings,
            Offer(settings.pools, settings.absent_labels),
            namespace,
            NOTHING_TOLD.beside("a.yaml", told(beside, "a.yaml"))(""),
            policies=POLICIES,
        )

    return make
