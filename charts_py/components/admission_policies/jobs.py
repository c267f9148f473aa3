"""Policies keep a team's jobs from priorities of others, and from GPUs that no queue counts.

Jobs wait in queues by a class of their team, and by that of their pods where they name none. A team
that named the class of another would start before others, and be the last to give back what it has
borrowed: like its pods, its jobs name the classes that it may use, in whatever field queues read
them. What has named one before keeps it: who releases its finalizers updates it. Before Kubernetes
1.36 the API server changes nothing by itself, and the webhook names the class.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policy import (
    MutatingPolicy,
    Policy,
    is_enforced,
    json_patch,
    named,
    requests,
    validation,
    writes_of,
)
from charts_py.components.kubeflow_trainer import MANAGER, NAMESPACE
from charts_py.platform.fabric import runtime_pools
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import only
from gpus.platform_names import LABEL_PREFIX
from policies.cel.text import quote, texts
from policies.rule_name import RuleName
from policies.settings import JobKind, QueuePriority, Settings
from policies.workloads.job_priority import default_class, is_unranked, rank, refusal, refused

_TRAIN_JOB = JobKind("trainer.kubeflow.org", "TrainJob")
_RESOURCES = "spec.?trainer.?resourcesPerNode"
_SUFFIX = "-runtime-snapshot"
_TRAINER = f"system:serviceaccount:{NAMESPACE}:{MANAGER}"
_OWNERS = "metadata.?ownerReferences.orValue([])"
_UNCOUNTED = (
    '"spec.trainer.resourcesPerNode states no GPUs: the queue would count none, and the job run '
    'with those of its runtime. Repeat the limit on GPUs of " + object.spec.runtimeRef.name'
    ' + " in its limits, or leave resourcesPerNode out."'
)
RUNTIME_SNAPSHOTS = Policy(
    name=f"runtime-snapshots.{LABEL_PREFIX}",
    rule=requests("", "configmaps"),
    conditions=named(
        {
            "snapshot": f"object.metadata.name.endsWith({quote(_SUFFIX)})",
            "not-trainer": f"request.userInfo.username != {quote(_TRAINER)}",
        }
    ),
    validations=(
        validation(
            # The garbage collector changes owners, and gives an object no new one.
            "oldObject != null"
            " && object.?data == oldObject.?data"
            f" && object.{_OWNERS}.all(owner,"
            f" oldObject.{_OWNERS}.exists(other, other.uid == owner.uid))",
            f"Kubeflow Trainer alone writes ConfigMaps NAME{_SUFFIX}, by which it runs the "
            "TrainJob NAME; name another in another way.",
        ),
    ),
)
"""The policy that lets nobody but Trainer write the objects that it runs jobs by."""
Key = TypeVar("Key")


def job_priorities_policies(
    priority: QueuePriority, settings: Settings, *, sets_default: bool
) -> Iterator[Policy | MutatingPolicy]:
    """Yield a policy for each set of classes, and with `sets_default` one for each default class.

    Like those of granted pools, they are named after the first of their namespaces.
    """
    for allowed, namespaces in _grouped(settings, partial(_allowed, settings)):
        if allowed:
            yield _allowing(priority, allowed, namespaces)
    if sets_default and priority.jobs:
        for default, namespaces in _grouped(settings, partial(_default, settings)):
            if default:
                yield _naming(priority, default, namespaces)


def _allowed(settings: Settings, namespace: str) -> tuple[str, ...]:
    priorities = settings.namespaces[namespace].priorities
    return tuple(each for each in priorities if each not in settings.reserved_priority_classes)


def _default(settings: Settings, namespace: str) -> str:
    named = is_enforced(settings, RuleName.PRIORITY_CLASS, namespace)
    return default_class(settings, namespace, is_enforced=named)


def _grouped(
    settings: Settings, key_of: Callable[[str], Key]
) -> Iterator[tuple[Key, Sequence[str]]]:
    """Yield namespaces that have the same, in the order of their first ones."""
    groups: dict[Key, list[str]] = {}
    for name in sorted(settings.namespaces):
        groups.setdefault(key_of(name), []).append(name)
    yield from groups.items()


def _allowing(priority: QueuePriority, allowed: Sequence[str], namespaces: Sequence[str]) -> Policy:
    return Policy(
        name=f"job-priorities.{namespaces[0]}.{LABEL_PREFIX}",
        namespaces=only(namespaces),
        rule=writes_of((*priority.jobs, *priority.others)),
        validations=(
            validation(
                f"size({refused(priority, allowed)}) == 0", computed=refusal(priority, allowed)
            ),
        ),
    )


def _naming(priority: QueuePriority, default: str, namespaces: Sequence[str]) -> MutatingPolicy:
    return MutatingPolicy(
        name=f"named-job-priorities.{namespaces[0]}.{LABEL_PREFIX}",
        namespaces=only(namespaces),
        rule=writes_of(priority.jobs),
        conditions=named({"names-no-class": is_unranked(priority)}),
        # Where it fails, the job waits behind others.
        mutations=(json_patch(rank(priority, default)),),
    )


def train_job_policies(platform: Platform) -> Iterator[Policy]:
    """Yield what keeps a TrainJob from running with more than Kueue counts, where Trainer runs it.

    Of what a job asks for per node, Kueue counts that alone, while Trainer adds to it what the
    runtime asks for: a job that left the GPUs out would count none, and run with all (Kueue has
    Trainer v2.2.1, by go.mod of https://github.com/kubernetes-sigs/kueue at v0.19.2;
    `newRuntimeInfo` and `Builder.Trainer` of https://github.com/kubeflow/trainer differ between
    v2.2.1 and v2.3.0).

    Kueue counts by the runtime as it stands, while Trainer runs a job by a snapshot of it in a
    ConfigMap of the job's namespace, which members of a team could write (`getRuntimeSnapshot` in
    pkg/runtime/core/snapshot.go at v2.3.0). One that is gone, Trainer makes anew.
    """
    cluster = platform.cluster
    if cluster.queue_engine is QueueEngine.KUEUE and cluster.training.trainer is not None:
        yield _resources_per_node(platform)
        yield RUNTIME_SNAPSHOTS


def _resources_per_node(platform: Platform) -> Policy:
    """Return the policy that a job which states resources states at least one GPU of a runtime.

    One that already exists can still be changed elsewhere: Kueue suspends and resumes it.
    """
    offered = {each.name for pool in runtime_pools(platform) for each in pool.facts.resources}
    nothing = " && ".join(f"{_stated(each)}.size() == 0" for each in ("limits", "requests"))
    limits = _stated("limits")
    counted = f'name in {texts(sorted(offered))} && string({limits}[name]).matches("^[1-9][0-9]*$")'
    return Policy(
        name=f"train-job-resources.{LABEL_PREFIX}",
        rule=writes_of((_TRAIN_JOB,)),
        validations=(
            validation(
                f"({nothing}) || {limits}.exists(name, {counted})"
                f" || (oldObject != null && object.{_RESOURCES} == oldObject.{_RESOURCES})",
                computed=_UNCOUNTED,
            ),
        ),
    )


def _stated(kind: str) -> str:
    return f"object.{_RESOURCES}.?{kind}.orValue({{}})"
