"""Nothing that a workload asks of its queue keeps it waiting for ever.

Kueue places pods by topology on pools that have the level which they name, and pods that name none
on the others, unless all in the quota have a topology (`checkPodSetAndFlavorMatchForTAS` in
pkg/scheduler/flavorassigner/tas_flavorassigner.go). It counts no claim that already exists
(`handleDRA` in pkg/controller/core/workload_controller.go of https://github.com/kubernetes-sigs/kueue
at v0.19.2).

A gang starts once as many pods are there as it says, of which a job may never make so many.
"""

from collections.abc import Iterator, Sequence

from charts_py.components.kai_scheduler.api import KAI_SCHEDULER_NAME, MIN_MEMBER as KAI_MIN_MEMBER
from charts_py.components.kueue.api import PRIORITY
from charts_py.components.volcano.api import MIN_MEMBER, SCHEDULER
from gpuplane.lint.declared_number import whole_number
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding, by_kind
from gpuplane.workloads.pod_count import pod_count
from gpus.nearest import nearest, nearest_hint
from policies.document import (
    elements,
    holders,
    listed,
    members,
    pointer,
    shown,
    steps_of,
    text,
    value_at,
)
from policies.pod import Pod
from policies.reach import usable
from policies.settings import JobKind, NamespaceSettings

_MIN_MEMBERS = {KAI_SCHEDULER_NAME: KAI_MIN_MEMBER, SCHEDULER: MIN_MEMBER}
_TOPOLOGY = "kueue.x-k8s.io/podset"
_PREFERRED = f"{_TOPOLOGY}-preferred-topology"
_LEVELS = (f"{_TOPOLOGY}-required-topology", _PREFERRED, f"{_TOPOLOGY}-slice-required-topology")
_ANYWHERE = f"{_TOPOLOGY}-unconstrained-topology"
_NEVER = "so the workload never starts."
_JOB_SET = JobKind("jobset.x-k8s.io", "JobSet")
_OF_JOBS = ("metadata", "annotations", KAI_MIN_MEMBER)


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    namespace = context.known_namespace
    if namespace is not None and context.settings.queue_priority == PRIORITY:
        parts = {each.pointer for each in one.templates if each.partial}
        for pod in one.gpu_pods:
            found = _placement(pod.pod, namespace, context, is_part=pod.pointer in parts)
            yield from pod.placed((*_claims(pod.pod), *found))
    if one.gpu_pods:
        yield from _annotated(one, context)
        yield from _after_others(one, context)
        yield from _of_volcano(one)


def _claims(pod: Pod) -> Iterator[RuleFinding]:
    for index, claim in enumerate(elements(pod.spec.get("resourceClaims"))):
        if name := text(members(claim).get("resourceClaimName")):
            yield RuleFinding(
                f"/spec/resourceClaims/{index}/resourceClaimName",
                f"The pods claim by the ResourceClaim {shown(name)}, which Kueue cannot count, "
                f"{_NEVER}",
                "Name a ResourceClaimTemplate in resourceClaimTemplateName instead.",
            )


def _placement(
    pod: Pod, namespace: NamespaceSettings, context: LintContext, *, is_part: bool
) -> Iterator[RuleFinding]:
    facts = context.facts
    levels = None if context.namespace in facts.taken else facts.levels
    pools = [each.name for each in usable(context.offer.reach(pod).pools, namespace)]
    if levels is None or not pools:
        return
    asked = {key: text(pod.annotations[key]) for key in _LEVELS if key in pod.annotations}
    known = [*dict.fromkeys(level for name in pools for level in levels.get(name, ()))]
    for key, level in asked.items():
        if level not in known:
            yield RuleFinding(
                pointer("metadata", "annotations", key),
                f"The pods are placed by {shown(level)}, which is no level of a topology of "
                f"{listed(pools, ' or ')}, where they can run, {_NEVER}",
                f"Name one of: {', '.join(known)}{nearest_hint(nearest(level, known)[:1])}."
                if known
                else "Leave it out: none of them has a topology in the cluster file.",
            )
    yield from _affinity(pod, known)
    if not asked and not is_part and _ANYWHERE not in pod.annotations:
        quota = {each.name for each in usable(context.settings.pools, namespace)}
        if levels.keys() >= {*pools} and (others := sorted(quota - levels.keys())):
            yield RuleFinding(
                "/metadata/annotations",
                "The pods name no topology, without which Kueue places none on "
                f"{listed(pools, ' or ')} while other pools of the quota have none "
                f"({listed(others)}), {_NEVER}",
                f"Annotate them with {_PREFERRED}: {known[0]}.",
            )


def _affinity(pod: Pod, known: Sequence[str]) -> Iterator[RuleFinding]:
    """Find terms that Kueue does not know of, where it chooses the nodes before there are pods."""
    place = ("affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for index, term in enumerate(elements(value_at(pod.spec, place))):
        if (key := text(members(term).get("topologyKey"))) in known:
            yield RuleFinding(
                pointer("spec", *place, str(index)),
                f"Kueue chooses the nodes and knows no affinity: they may be of several {key}, "
                "where the affinity keeps the pods from starting.",
                f"Annotate them with {_TOPOLOGY}-required-topology: {key} instead.",
                severity=LintSeverity.WARNING,
            )


def _annotated(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find a Job that waits for more pods than it makes; others may be scaled to as many."""
    key = _MIN_MEMBERS.get(context.scheduler or "")
    counts = [pod_count(one.document, each.pointer) for each in one.templates]
    known = [count for count in counts if count is not None]
    if key is None or len(known) < len(counts) or one.kind not in by_kind("job_specs"):
        return
    above = {place for each in one.templates for place in holders(each.pointer)}
    if one.kind == _JOB_SET and key == KAI_MIN_MEMBER:
        # Of a JobSet itself it is a number of jobs, and all of them at most.
        above.discard("")
    for place in sorted(above - {each.pointer for each in one.templates}):
        field = (*steps_of(place), "metadata", "annotations", key)
        least = whole_number(value_at(one.document, field))
        if least is not None and least > sum(known):
            yield _too_few(pointer(*field), key, least, sum(known))


def _after_others(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find JobSets of which KAI waits for jobs that are made once others are ready.

    `computePodGroupMinSubGroup` in https://github.com/kai-scheduler/KAI-Scheduler
    (pkg/podgrouper/podgrouper/plugins/jobset at v0.17.0) knows no `dependsOn`.
    """
    if one.kind != _JOB_SET or context.scheduler != KAI_SCHEDULER_NAME:
        return
    jobs = [*map(members, elements(value_at(one.document, ("spec", "replicatedJobs"))))]
    first = sum(not job.get("dependsOn") for job in jobs)
    least = whole_number(value_at(one.document, _OF_JOBS))
    in_order = value_at(one.document, ("spec", "startupPolicy", "startupPolicyOrder")) == "InOrder"
    waited = len(jobs) if least is None else min(least, len(jobs))
    if first and not in_order and waited > first:
        yield RuleFinding(
            pointer(*_OF_JOBS),
            f"KAI waits for pods of {waited} jobs, and only {first} of them can start before "
            f"others are ready (dependsOn), {_NEVER}",
            f'Annotate the JobSet with {KAI_MIN_MEMBER}: "{first}".',
        )


def _of_volcano(one: LintObject) -> Iterator[RuleFinding]:
    if one.kind not in (places := by_kind("volcano_queue")):
        return
    *place, _ = places[one.kind]
    spec = members(value_at(one.document, place))
    tasks = [*map(members, elements(spec.get("tasks")))]
    counts = [whole_number(each.get("replicas", 1)) or 0 for each in tasks]
    gangs = [(pointer(*place), spec, sum(counts))]
    gangs += [
        (pointer(*place, "tasks", str(index)), task, count)
        for index, (task, count) in enumerate(zip(tasks, counts, strict=True))
    ]
    for above, fields, count in gangs:
        least = whole_number(fields.get("minAvailable"))
        if least is not None and least > count:
            yield _too_few(f"{above}/minAvailable", "minAvailable", least, count)


def _too_few(place: str, field: str, least: int, count: int) -> RuleFinding:
    pods = "is 1 pod" if count == 1 else f"are {count} pods"
    return RuleFinding(
        place,
        f"{field} is {least}, but there {pods} at once, {_NEVER}",
        f"Set it to {count} at most.",
    )


RULE = LintRule(
    "endless-wait", "What a workload asks of its queue can come true.", check, LintSeverity.ERROR
)
