"""Queues of KAI: what each namespace has and may borrow of GPUs.

A Queue for each team, and below it one for each of its namespaces, which the jobs in it wait in.
Policies of the API server keep them from the queues of others, their pods in the groups that are
counted, and both from a rank by the label of Ray, which may name any class.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policy import Policy, policy_objects, validation, writes_of
from charts_py.components.definition import Definition
from charts_py.components.kai_scheduler.api import (
    API_VERSION,
    GANGS,
    GROUP,
    GROUPING,
    KAI_SCHEDULER_NAME,
    PREEMPTIBILITY,
    PREEMPTIBLE,
    PRIORITY,
    QUEUE,
    RAY_PRIORITY,
    SKIP_POD_GROUPER,
    TOPOLOGY_API_VERSION,
)
from charts_py.components.queue_policies import own_group_policy, own_queue_policy
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Access, Contribution, Use
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.pool_hardware import topology_levels
from charts_py.platform.queue_quota import Amounts, namespace_amounts, team_amounts, team_queue
from charts_py.platform.wave import Wave
from gpus.platform_names import LABEL_PREFIX
from policies.cel.pod import IS_CREATED
from policies.cel.text import quote
from policies.settings import QueueScheduler
from policies.workloads.job_priority import known

_UNBOUNDED = {"quota": -1, "limit": -1}
"""A queue has nothing of a resource that it does not state."""
_OWNERS = [each for each in PRIORITY.others if each.group not in ("", GROUP)]
_NOW, _BEFORE = (
    f'{each}.metadata.?annotations[?{quote(SKIP_POD_GROUPER)}].orValue("")'
    for each in ("object", "oldObject")
)
MAY_PATCH = (
    "authorizer.group(request.resource.group).resource(request.resource.resource)"
    '.check("patch").allowed()'
)
"""Whether who asks may change such objects in every namespace, as controllers and the garbage
collector may."""
GROUPED_JOBS = Policy(
    name=f"grouped-jobs.kai.{LABEL_PREFIX}",
    rule=writes_of(_OWNERS),
    validations=(
        validation(
            f'{_NOW} != "true" || !{IS_CREATED} && {_BEFORE} == {_NOW}',
            f"KAI would count the pods in no group; leave {SKIP_POD_GROUPER} out.",
        ),
        validation(
            f"{IS_CREATED} || object.metadata.?ownerReferences"
            f" == oldObject.metadata.?ownerReferences || {MAY_PATCH}",
            "KAI counts pods in a group that is gone with the topmost of their owners; leave "
            "metadata.ownerReferences.",
        ),
    ),
)
"""What pods belong to keeps its owners, with which their group is gone, and stays grouped.

KAI makes the PodGroup of a pod for the topmost of its owners, and another one when the pod has
changed, unless one of them is annotated. https://github.com/kai-scheduler/KAI-Scheduler,
pkg/podgrouper/pod_controller.go at v0.17.0
"""
_RANKED_KINDS = [each for each in PRIORITY.others if each.group in ("ray.io", GROUP)]
_RANKED, _RANKED_BEFORE = (
    f'{each}.metadata.?labels[?"{RAY_PRIORITY}"].orValue("")' for each in ("object", "oldObject")
)
RAY_PRIORITY_POLICY = Policy(
    name=f"ray-priority.kai.{LABEL_PREFIX}",
    rule={
        **writes_of(_RANKED_KINDS),
        "resources": [known(each).resource for each in _RANKED_KINDS],
    },
    validations=(
        validation(
            # Who releases the finalizers of what was there before updates it.
            f'{_RANKED} == "" || (oldObject != null && {_RANKED_BEFORE} == {_RANKED})',
            f"KAI would rank the job by the label {RAY_PRIORITY}, whatever class its team may use. "
            f"Name the class in the label {PRIORITY.field[-1]} instead.",
        ),
    ),
)
"""Jobs of Ray are ranked by the label of all kinds, whose classes are judged.

KAI takes the label of KubeRay before it, and before the class of the pods. PodGroups have the
labels of what their pods belong to, and of an Argo Workflow that has made that.
"""


def queues(platform: Platform) -> Iterator[Document]:
    for name, amounts in team_amounts(platform).items():
        share = platform.cluster.teams[name].share
        yield _queue(team_queue(name), _gpus(amounts, share), {})
    for namespace in platform.namespaces:
        parent = {"parentQueue": team_queue(namespace.team_name)}
        gpus = _gpus(namespace_amounts(platform, namespace), 1)
        yield _queue(namespace.name, gpus, parent)


def _gpus(amounts: Amounts, weight: int) -> dict[str, int]:
    """Return the quota on GPUs, one number for those of all makers."""
    return {
        "quota": sum(each.own for each in amounts.values()),
        "limit": sum(each.most for each in amounts.values()),
        "overQuotaWeight": weight,
    }


def _queue(name: str, gpus: dict[str, int], parent: Mapping[str, str]) -> Document:
    resources = {"cpu": _UNBOUNDED, "memory": _UNBOUNDED, "gpu": gpus}
    spec: dict[str, Any] = {**parent, "resources": resources}
    return object_of(API_VERSION, "Queue", ObjectMeta(name), {"spec": spec})


def topology(platform: Platform, pool: PlatformPool) -> Document:
    levels = topology_levels(pool.spec, pool.hardware, platform.provider)
    spec = {"levels": [{"nodeLabel": level} for level in levels]}
    return object_of(TOPOLOGY_API_VERSION, "Topology", ObjectMeta(pool.name), {"spec": spec})


def _objects(platform: Platform) -> Iterator[Document]:
    yield from queues(platform)
    yield from (
        topology(platform, pool) for pool in platform.pools if pool.spec.topology is not None
    )
    own = own_queue_policy(QueueEngine.KAI, GROUP, "request.namespace")
    yield from policy_objects((own, own_group_policy(GROUPING), GROUPED_JOBS, RAY_PRIORITY_POLICY))


KAI_QUEUES = Definition(
    name="kai-queues",
    description=__doc__,
    appears="where the cluster has queues of KAI",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KAI,
    fields=("queues", "teams", "pools.NAME.sharing", "pools.NAME.topology"),
    depends_on=(KAI_SCHEDULER_NAME,),
    wave=Wave.NODES,
    objects=_objects,
    contribution=Contribution(
        access=(Access(GROUP, ("podgroups",), Use.READ),),
        queue_scheduler=QueueScheduler(
            KAI_SCHEDULER_NAME,
            queue_label=QUEUE,
            # All may be evicted from what they borrow: whoever may not be borrows nothing.
            labels={PREEMPTIBILITY: PREEMPTIBLE},
        ),
        queue_priority=PRIORITY,
        gangs=GANGS,
    ),
)
