"""Queues of Volcano: what each namespace has, gives and may borrow of each resource.

A Queue for each team, and below it one for each of its namespaces, which the jobs in it wait in.
Policies of the API server keep them from the queues of others, and from saying that they give
nothing back, and their pods in the groups that are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policies.policy import policy_objects
from charts_py.components.definition import Definition
from charts_py.components.queue_policies import own_group_policy, own_queue_policy
from charts_py.components.volcano_queues.api import (
    DEFAULT_QUEUE,
    GANGS,
    GROUP,
    GROUPING,
    PRIORITY,
    QUEUE_NAME,
    SCHEDULER,
)
from charts_py.components.volcano_queues.preemptable import PREEMPTABLE_POLICY
from charts_py.components.volcano_queues.queue import queues
from charts_py.platform.contribution import Access, Contribution, TeamAdditions, Use
from charts_py.platform.wave import Wave
from gpus.platform_names import TEAM
from policies.settings import QueueScheduler

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


_NAME = "volcano-queues"
_OWN = (
    f'"{TEAM}" in namespaceObject.metadata.?labels.orValue({{}})'
    f' ? request.namespace : "{DEFAULT_QUEUE}"'
)


def _objects(platform: Platform) -> Iterator[Document]:
    yield from queues(platform)
    own = own_queue_policy(QueueEngine.VOLCANO, GROUP, _OWN)
    yield from policy_objects((own, own_group_policy(GROUPING), PREEMPTABLE_POLICY))


def _contributes(platform: Platform) -> Contribution:
    return Contribution(
        teams={
            each.name: {_NAME: TeamAdditions(annotations={QUEUE_NAME: each.name})}
            for each in platform.namespaces
        }
    )


VOLCANO_QUEUES = Definition(
    name=_NAME,
    description=__doc__,
    appears="where the cluster has queues of Volcano",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.VOLCANO,
    fields=("queues", "teams", "pools.NAME.sharing"),
    depends_on=("volcano",),
    wave=Wave.NODES,
    objects=_objects,
    contribution=Contribution(
        access=(Access(GROUP, ("podgroups",), Use.READ),),
        queue_scheduler=QueueScheduler(SCHEDULER, queue_annotation=QUEUE_NAME),
        queue_priority=PRIORITY,
        gangs=GANGS,
    ),
    contributes=_contributes,
)
