"""Queues of Volcano: what each namespace has, gives and may borrow of each resource.

A Queue for each team, and below it one for each of its namespaces, which the jobs in it wait in.
Policies of the API server keep them from the queues of others, and from saying that they give
nothing back, and their pods in the groups that are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.definition import Definition
from charts_py.components.volcano_queues.api import GANGS, GROUP, PRIORITY, QUEUE_NAME, SCHEDULER
from charts_py.platform.additions import Access, TeamAdditions, Use
from charts_py.platform.wave import Wave
from policies.settings import QueueScheduler

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform, TeamNamespace


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.volcano_queues.construct import VolcanoQueues

    return lambda scope: VolcanoQueues(scope, "queues", platform)


def _team(_: Platform, namespace: TeamNamespace) -> TeamAdditions:
    return TeamAdditions(annotations={QUEUE_NAME: namespace.name})


VOLCANO_QUEUES = Definition(
    name="volcano-queues",
    description=__doc__,
    appears="where the cluster has queues of Volcano",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.VOLCANO,
    fields=("queues", "teams", "pools.NAME.sharing"),
    depends_on=("volcano",),
    wave=Wave.NODES,
    construct=_construct,
    access=(Access(GROUP, ("podgroups",), Use.READ),),
    team=_team,
    queue_scheduler=QueueScheduler(SCHEDULER, queue_annotation=QUEUE_NAME),
    queue_priority=PRIORITY,
    gangs=GANGS,
)
