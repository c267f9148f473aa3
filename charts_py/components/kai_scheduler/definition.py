"""KAI Scheduler, the scheduler of GPU pods where the cluster file says so.

It starts the pods of a job together, once its queue has room and nodes have. Pods that ask for no
GPU stay with the scheduler of Kubernetes. Its webhooks judge the pods that name it, its queues and
its groups of pods: while none answers, no GPU pod of a team is created, and while no scheduler of
it runs, GPU pods wait; nothing else does. https://github.com/kai-scheduler/KAI-Scheduler
"""

from typing import Any

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.kai_scheduler.api import KAI_SCHEDULER_NAME, NAMESPACE
from charts_py.objects.pods import pull_secrets
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from upstream.lock import locked_chart

RESERVATIONS = "kai-resource-reservation"
"""Namespace of the pods that hold a GPU which others share. There are none here, but the chart has
a RoleBinding in it."""
_CHART = known_chart(KAI_SCHEDULER_NAME)


def kai_values(platform: Platform) -> dict[str, Any]:
    return {
        "global": {
            "registry": _CHART.images[0].repository,
            "tag": locked_chart(KAI_SCHEDULER_NAME).chart_version,
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


KAI_SCHEDULER = Definition(
    name=KAI_SCHEDULER_NAME,
    description=__doc__,
    appears="where the cluster has queues of KAI",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KAI,
    fields=("queues",),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.BASELINE, goes_last=True),
    contribution=Contribution(
        namespaces=(PlatformNamespace(RESERVATIONS, PodSecurity.RESTRICTED, goes_last=True),)
    ),
    charts=(_CHART,),
    values=kai_values,
    rules=alert_table(
        KAI_SCHEDULER_NAME,
        NAMESPACE,
        __package__,
        namespace=NAMESPACE,
        scheduler=KAI_SCHEDULER_NAME,
    ),
)
