"""Queues of Volcano: what each namespace has, gives and may borrow of each resource.

A Queue for each team, and below it one for each of its namespaces, which the jobs in it wait in.
Policies of the API server keep them from the queues of others, and from saying that they give
nothing back, and their pods in the groups that are counted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policy import Policy, policy_objects, validation
from charts_py.components.definition import Definition
from charts_py.components.queue_policies import own_group_policy, own_queue_policy
from charts_py.components.volcano.api import (
    API_VERSION,
    DEFAULT_QUEUE,
    GANGS,
    GROUP,
    GROUPING,
    JOB_GROUP,
    PREEMPTABLE,
    PRIORITY,
    QUEUE_NAME,
    SCHEDULER,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Access, Contribution, TeamAdditions, Use
from charts_py.platform.platform import Platform
from charts_py.platform.queue_quota import Amounts, namespace_amounts, team_amounts, team_queue
from charts_py.platform.wave import Wave
from gpus.platform_names import LABEL_PREFIX, TEAM
from policies.settings import QueueScheduler

_RULE = {
    "apiGroups": ["", "apps", "batch", JOB_GROUP, GROUP],
    "apiVersions": ["*"],
    "operations": ["CREATE", "UPDATE"],
    "resources": [
        "pods",
        "podgroups",
        "jobs",
        "replicasets",
        "statefulsets",
        "daemonsets",
        # Their annotations become those of their ReplicaSets.
        "deployments",
    ],
}
"""The kinds of objects where Volcano reads the name of a queue."""
_NAME = "volcano-queues"
_OWN = (
    f'"{TEAM}" in namespaceObject.metadata.?labels.orValue({{}})'
    f' ? request.namespace : "{DEFAULT_QUEUE}"'
)


def queues(platform: Platform) -> Iterator[Document]:
    """Yield a Queue for each team, and below it one for each of its namespaces.

    Of a queue of Volcano, `guarantee` is what no other may have, `deserved` what it gets back from
    others that have more than theirs, and `capability` the most that it may have.
    """
    for name, amounts in team_amounts(platform).items():
        yield _queue(team_queue(name), amounts, {})
    for namespace in platform.namespaces:
        parent = {"parent": team_queue(namespace.team_name)}
        yield _queue(namespace.name, namespace_amounts(platform, namespace), parent)


def _queue(name: str, amounts: Amounts, parent: Mapping[str, str]) -> Document:
    kept = {name: each.own - each.lent for name, each in amounts.items() if each.own > each.lent}
    guarantee = {"guarantee": {"resource": _quantities(kept)}} if kept else {}
    spec: dict[str, Any] = {
        **parent,
        "reclaimable": True,
        **guarantee,
        "deserved": _quantities({name: each.own for name, each in amounts.items()}),
        # Of what it does not state, a queue could have all.
        "capability": _quantities({name: each.most for name, each in amounts.items()}),
    }
    return object_of(API_VERSION, "Queue", ObjectMeta(name), {"spec": spec})


def _quantities(amounts: Mapping[str, int]) -> dict[str, str]:
    return {resource: str(amounts[resource]) for resource in sorted(amounts)}


def _stated(where: str, which: str) -> str:
    return f'{which}.metadata.?{where}[?"{PREEMPTABLE}"].orValue("true")'


def _truthful(where: str, called: str) -> dict[str, str]:
    now = _stated(where, "object")
    return validation(
        # Who releases the finalizers of what was there before updates it.
        f'(oldObject != null && {_stated(where, "oldObject")} == {now}) || {now} == "true"',
        computed=f'"The {called} {PREEMPTABLE} is \\"" + {now}'
        ' + "\\", but what runs on GPUs that others lent gives them back. Set it to \\"true\\", or'
        ' leave it out."',
    )


PREEMPTABLE_POLICY = Policy(
    name=f"preemptable.volcano.{LABEL_PREFIX}",
    rule=_RULE,
    validations=(_truthful("annotations", "annotation"), _truthful("labels", "label")),
)
"""Everybody gives back what others lent, whatever their jobs say.

Volcano evicts no pod that says `volcano.sh/preemptable: "false"`, in an annotation or a label, and
none whose PodGroup does: neither for a queue that wants its own back nor for a higher priority. It
reads anything but a boolean as false. Its controller has a PodGroup inherit the annotations of
the pod, and of the Job, ReplicaSet, StatefulSet or DaemonSet that owns the pod, and a pod those of
its own Job. Its other keys are read by plugins that the scheduler is configured without:
`revocable-zone`, `jdb-min-available` and `jdb-max-unavailable` by `tdm`, `cooldown-time` by `cdp`.
Source: pkg/scheduler/api, pkg/scheduler/plugins, pkg/controllers/podgroup and pkg/controllers/job
of https://github.com/volcano-sh/volcano at v1.15.1.
"""


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
