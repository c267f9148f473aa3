"""The values of KAI's chart, by which its operator installs the other parts."""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.kai_scheduler.names import KAI_SCHEDULER
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from upstream.lock import locked_chart

RESERVATIONS = "kai-resource-reservation"
"""Namespace of the pods that hold a GPU which others share. There are none here, but the chart has
a RoleBinding in it."""

_REGISTRY = "ghcr.io/kai-scheduler/kai-scheduler"
_NAMED_AT = {
    "operator": "operator.image",
    "crd-upgrader": "crdupgrader.image",
    "scheduler": "scheduler.image",
    "binder": "binder.image",
    "resourcereservation": "binder.resourceReservationImage",
    "admission": "admission.image",
    "podgrouper": "podgrouper.image",
    "podgroupcontroller": "podgroupcontroller.image",
    "queuecontroller": "queuecontroller.image",
    "nodescaleadjuster": "nodescaleadjuster.image",
    "scalingpod": "nodescaleadjuster.scalingPodImage",
}
"""Its images, each with the section of its name; all share registry and tag."""
_RUNS_WHERE = {"nodescaleadjuster": {"global.clusterAutoscaling": False}}

IMAGES = tuple(
    ChartImage(
        section="global",
        repository=_REGISTRY,
        repository_key="registry",
        name=name,
        named_at=f"{section}.name",
        tag="v0.17.0",
        runs_where=_RUNS_WHERE.get(name, {}),
    )
    for name, section in _NAMED_AT.items()
)


def kai_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    return {
        "global": {
            "registry": _REGISTRY,
            "tag": locked_chart(KAI_SCHEDULER).chart_version,
            "leaderElection": True,
            "resourceReservation": {"createNamespace": False, "createServiceAccount": False},
            **pull_secrets(platform.cluster.pull_secret_names),
        },
        # Of the operator, and of each part that it installs.
        "operator": {"replicaCount": 2},
        # https://github.com/kai-scheduler/KAI-Scheduler, docs/gitops at v0.17.0. The parts belong
        # to this object, and go with it.
        "kaiConfigDeployer": {"enabled": False},
        "kaiConfig": {"render": True},
        "postCleanup": {"enabled": False},
        "topologyMigration": {"enabled": False},
        # Classes and queues are those of the cluster file.
        "defaultPriorityClasses": {"enabled": False},
        "defaultQueue": {"createDefaultQueue": False},
        "numaPlacementExporter": {"enabled": False},
        # It evicts jobs to bring together what is free, those within their quota as well.
        "scheduler": {"actions": {"consolidation": {"enabled": False}}},
    }
