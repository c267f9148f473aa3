"""Queues of KAI: what each namespace has and may borrow of GPUs.

A Queue for each team, and below it one for each of its namespaces, which the jobs in it wait in.
Policies of the API server keep them from the queues of others, their pods in the groups that are
counted, and both from a rank by the label of Ray, which may name any class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policies.policy import policy_objects
from charts_py.components.definition import Definition
from charts_py.components.kai_queues.api import (
    GANGS,
    GROUP,
    GROUPING,
    PREEMPTIBILITY,
    PREEMPTIBLE,
    PRIORITY,
    QUEUE,
)
from charts_py.components.kai_queues.grouped_jobs import GROUPED_JOBS
from charts_py.components.kai_queues.queue import queues
from charts_py.components.kai_queues.ray_priority import RAY_PRIORITY_POLICY
from charts_py.components.kai_scheduler.names import KAI_SCHEDULER
from charts_py.components.queue_policies import own_group_policy, own_queue_policy
from charts_py.platform.contribution import Access, Contribution, Use
from charts_py.platform.wave import Wave
from policies.settings import QueueScheduler

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def _objects(platform: Platform) -> Iterator[Document]:
    yield from queues(platform)
    own = own_queue_policy(QueueEngine.KAI, GROUP, "request.namespace")
    yield from policy_objects((own, own_group_policy(GROUPING), GROUPED_JOBS, RAY_PRIORITY_POLICY))


KAI_QUEUES = Definition(
    name="kai-queues",
    description=__doc__,
    appears="where the cluster has queues of KAI",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KAI,
    fields=("queues", "teams", "pools.NAME.sharing"),
    depends_on=(KAI_SCHEDULER,),
    wave=Wave.NODES,
    objects=_objects,
    contribution=Contribution(
        access=(Access(GROUP, ("podgroups",), Use.READ),),
        queue_scheduler=QueueScheduler(
            KAI_SCHEDULER,
            queue_label=QUEUE,
            # All may be evicted from what they borrow: whoever may not be borrows nothing.
            labels={PREEMPTIBILITY: PREEMPTIBLE},
        ),
        queue_priority=PRIORITY,
        gangs=GANGS,
    ),
)
