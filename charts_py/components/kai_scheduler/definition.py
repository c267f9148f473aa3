"""KAI Scheduler, the scheduler of GPU pods where the cluster file says so.

It starts the pods of a job together, once its queue has room and nodes have. Pods that ask for no
GPU stay with the scheduler of Kubernetes. Its webhooks judge the pods that name it, its queues and
its groups of pods: while none answers, no GPU pod of a team is created, and while no scheduler of
it runs, GPU pods wait; nothing else does. https://github.com/kai-scheduler/KAI-Scheduler
"""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.kai_scheduler.api import KAI_SCHEDULER_NAME, NAMESPACE
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

RESERVATIONS = "kai-resource-reservation"
"""Namespace of the pods that hold a GPU which others share. There are none here, but the chart has
a RoleBinding in it."""


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
    charts=(known_chart(KAI_SCHEDULER_NAME),),
)
