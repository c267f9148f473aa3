"""A workload runs whole in the quota of its namespace, and on the nodes of its pools.

A job of which all pods start together never starts where they do not fit; of other workloads, some
pods wait for ever. What namespaces lend is counted, as if nobody else ran anything: what does not
fit then never does.

Kueue starts all pods of a job together, those of each template on one pool (`podSetAssignment` in
https://kueue.sigs.k8s.io/docs/concepts/workload/), unless
`kueue.x-k8s.io/job-min-parallelism` says with how many it is content. The jobs of Kubeflow wait in
their program for all others. A Job of Volcano starts with `minAvailable` pods.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from charts_py.components.kueue.api import PRIORITY
from gpuplane.lint.declared_number import whole_number
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rollouts import rollout
from gpuplane.lint.rule import GpuPod, LintContext, LintObject, LintRule, RuleFinding, by_kind
from gpuplane.workloads.capacity import Capacity, more_than, most_pods, too_many
from gpuplane.workloads.pod_count import pod_count
from policies.document import elements, holders, members, name_of, shown, steps_of, text, value_at
from policies.pod import Pod
from policies.reach import usable
from policies.rules.granted_pools import remedy_without
from policies.settings import JobKind

_COUNTS = ("replicas", "parallelism", "numNodes", "size")
_JOB, _CRON_JOB = JobKind("batch", "Job"), JobKind("batch", "CronJob")
_VOLCANO = JobKind("batch.volcano.sh", "Job")
_TRAINING = ("kubeflow.org", "trainer.kubeflow.org")
_MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism"


class _Pods(NamedTuple):
    """The pods of a template that ask for a resource, and how many of them there is room for."""

    template: str
    """JSON Pointer to the template."""
    number: int
    gpus: int
    resource: str
    pools: tuple[str, ...]
    """Those of the namespace that they can run on."""
    most: int
    most_together: int
    """Where all start at once."""
    roomiest: str
    """The pool with room for most of them."""

    def on_one_pool(self, namespace: str) -> str:
        return (
            f"Kueue places all {self.number} pods with {self.gpus} {self.resource} each on one of "
            f"pools {', '.join(self.pools)}, and {namespace} has room for {self.most_together} at "
            f"most, on {self.roomiest}"
        )

    def too_many(self, count: int, namespace: str) -> str:
        return too_many(count, f"{self.gpus} {self.resource}", self.pools, namespace)


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    yield from _counted(one, context)
    for pod in one.gpu_pods:
        yield from pod.placed(_unmet_claims(pod.pod, context))
    found = _with_leaders(one, [each for pod in one.gpu_pods for each in _pods(one, pod, context)])
    is_short = False
    for pods in found:
        findings = [*_over_capacity(one, context, pods)]
        is_short = is_short or bool(findings)
        yield from findings or (*_autoscaled(one, context, pods), *_rolled_out(one, context, pods))
    if not is_short and len(one.gpu_pods) > 1:
        yield from _together(one, context, found)


def _counted(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find more pods, whatever they ask for, than the namespace may have."""
    counts = [pod_count(one.document, each.pointer) or 0 for each in one.templates]
    most = context.facts.pods.get(context.namespace)
    if most is not None and (count := sum(counts)) > most:
        yield RuleFinding(
            _place(one, one.templates[0].pointer),
            f"{count} pods are more than the {most} that the quota of {context.namespace} "
            f"lets it have, so that {most} of them run at once.",
            f"Run {most} at most, or have the platform team raise quota.pods.",
        )


def _unmet_claims(pod: Pod, context: LintContext) -> Iterator[RuleFinding]:
    """Find devices that pods claim by a ResourceClaimTemplate, and can never get.

    Its claims count against the quota, in which there is none by default. What they are for stands
    in the template alone.
    """
    pools = usable(context.settings.pools, context.known_namespace)
    gives = any(pool.gives_to_claims for pool in pools)
    for index, claim in enumerate(elements(pod.spec.get("resourceClaims"))):
        name = text(members(claim).get("resourceClaimTemplateName"))
        classes = context.siblings.device_classes(name) & context.offer.names.device_classes
        if name and classes and not gives:
            what = ", ".join(sorted(classes))
            why = f"which no pool of namespace {context.namespace} gives out"
            remedy = remedy_without(pools)
        elif name and context.facts.claims.get(context.namespace) == 0:
            what = "devices"
            why = f"and the quota of {context.namespace} has room for no claim"
            other = "Leave the claim out" if pod.gpus else "Ask for a GPU resource"
            remedy = f"{other}, or have the platform team raise quota.resourceClaims."
        else:
            continue
        yield RuleFinding(
            f"/spec/resourceClaims/{index}/resourceClaimTemplateName",
            f"The pods claim {what} by the ResourceClaimTemplate {shown(name)}, {why}, so they "
            "never start.",
            remedy,
            severity=LintSeverity.ERROR,
        )


def _pods(one: LintObject, pod: GpuPod, context: LintContext) -> Iterator[_Pods]:
    if not context.capacities:
        return
    reached = {pool.name for pool in context.offer.reach(pod.pod).pools}
    count = pod_count(one.document, pod.pointer) or 0
    for resource, gpus in pod.pod.gpus.items():
        capacities = _capacities(context, resource)
        here = tuple(capacity.pool for capacity in capacities if capacity.pool in reached)
        if type(gpus) is not int or gpus < 0 or not here:
            continue
        most = most_pods(capacities, here, gpus, quota_by_pool=_is_kueue(context))
        on_one = {each.pool: each.most_pods(gpus) for each in capacities if each.pool in here}
        roomiest = max(on_one, key=on_one.__getitem__)
        together = on_one[roomiest] if _is_kueue(context) else most
        yield _Pods(pod.pointer, count, gpus, resource, here, most, together, roomiest)


def _with_leaders(one: LintObject, found: Sequence[_Pods]) -> list[_Pods]:
    """Count the leader of a group among its workers where their GPUs are alike."""
    if one.kind not in by_kind("grouped"):
        return [*found]
    groups = dict[tuple[object, ...], _Pods]()
    for pods in found:
        alike = (pods.template.rpartition("/")[0], *pods._replace(template="", number=0))
        leaders = groups[alike].number if alike in groups else 0
        groups[alike] = pods._replace(number=pods.number + leaders)
    return [*groups.values()]


def _capacities(context: LintContext, resource: str) -> list[Capacity]:
    return [capacity for capacity in context.capacities if capacity.resource == resource]


def _is_kueue(context: LintContext) -> bool:
    return context.settings.queue_priority == PRIORITY


def _place(one: LintObject, template: str) -> str:
    """Return the JSON Pointer to the number of pods; to the template where none is stated."""
    for holder in holders(template):
        stated = members(value_at(one.document, steps_of(holder)))
        for name in _COUNTS:
            if name in stated:
                return f"{holder}/{name}"
    return template


def _over_capacity(one: LintObject, context: LintContext, pods: _Pods) -> Iterator[RuleFinding]:
    place, least = _place(one, pods.template), _least(one, context, pods.number)
    never = least > pods.most_together
    most = pods.most_together if never else pods.most
    if never or pods.number > most:
        so = "the workload never starts" if never else f"{most} of them run at once"
        fewer = f"Run {most} at most" if most else "Ask for fewer GPUs"
        size = value_at(one.document, steps_of(place))
        if never and most and place.endswith("/size") and type(size) is int:
            # The leader may have no GPUs, or others.
            fewer = f"Set size to {size - least + most} at most"
        is_split = never and 0 < pods.most_together < pods.most
        said = pods.on_one_pool if is_split else partial(pods.too_many, pods.number)
        yield RuleFinding(
            place,
            f"{said(context.namespace)}, so that {so}.",
            f"{fewer}, or have the quota raised.",
            severity=LintSeverity.ERROR if never else None,
        )


def _least(one: LintObject, context: LintContext, count: int) -> int:
    """Return how many of the pods of a template start together."""
    spec, kind = members(one.document.get("spec")), one.kind
    annotations = members(members(one.document.get("metadata")).get("annotations"))
    if kind in by_kind("grouped"):
        replicas = spec.get("replicas", 1)
        return count // replicas if type(replicas) is int and replicas > 0 else 0
    if kind == _VOLCANO:
        return min(whole_number(spec.get("minAvailable")) or count, count)
    if _is_kueue(context) and (_JOB if kind == _CRON_JOB else kind) in PRIORITY.jobs:
        return whole_number(annotations.get(_MIN_PARALLELISM)) or count
    is_whole = kind.group in _TRAINING and not members(spec.get("elasticPolicy"))
    return count if is_whole else min(count, 1)


def _together(one: LintObject, context: LintContext, found: list[_Pods]) -> Iterator[RuleFinding]:
    """Find workloads whose templates fit one by one, but not all of them."""
    for resource in dict.fromkeys(pods.resource for pods in found):
        of_it = [pods for pods in found if pods.resource == resource]
        pools = tuple(dict.fromkeys(pool for pods in of_it for pool in pods.pools))
        capacities, is_kueue = _capacities(context, resource), _is_kueue(context)
        most = most_pods(capacities, pools, 1, quota_by_pool=is_kueue)
        least = sum(_least(one, context, pods.number) * pods.gpus for pods in of_it)
        in_all = sum(pods.number * pods.gpus for pods in of_it)
        if in_all > most:
            stated = (
                f"{sum(pods.number for pods in of_it)} pods with {in_all} {resource} in all are"
            )
            yield RuleFinding(
                "/spec",
                f"{stated} {more_than(pools, context.namespace)}, so that "
                + ("the workload never starts." if least > most else "not all run at once."),
                f"Ask for {most} at most, or have the quota raised.",
                severity=LintSeverity.ERROR if least > most else None,
            )


def _autoscaled(one: LintObject, context: LintContext, pods: _Pods) -> Iterator[RuleFinding]:
    """Find autoscalers that make more pods than there is room for."""
    for place, scaler, most, each in _scalers(one, context, pods):
        if most * each > pods.most:
            yield RuleFinding(
                place,
                f"{scaler} makes up to {most} replicas, but "
                f"{pods.too_many(most * each, context.namespace)}.",
                f"Let it make {pods.most // each} at most, or have the quota raised.",
            )


def _scalers(
    one: LintObject, context: LintContext, pods: _Pods
) -> Iterator[tuple[str, str, int, int]]:
    """Yield place and name of what scales a template, with its most replicas and pods of each."""
    replicas = members(one.document.get("spec")).get("replicas", 1)
    is_grouped = one.kind in by_kind("grouped") and type(replicas) is int and replicas > 0
    each = max(pods.number // replicas, 1) if is_grouped else 1
    for scaler, count in context.siblings.autoscalers(one.kind.kind, name_of(one.document)):
        name = f"The {scaler.kind} {shown(scaler.name)}"
        yield _place(one, pods.template), name, count, each
    if one.kind in by_kind("ray_clusters"):
        group = pods.template.removesuffix("/template")
        cluster = members(value_at(one.document, steps_of(by_kind("ray_clusters")[one.kind])))
        stated = members(value_at(one.document, steps_of(group)))
        most, hosts = stated.get("maxReplicas"), stated.get("numOfHosts", 1)
        is_scaled = cluster.get("enableInTreeAutoscaling") is True
        if is_scaled and type(most) is type(hosts) is int and hosts > 0:
            yield f"{group}/maxReplicas", "Ray", most, hosts


def _rolled_out(one: LintObject, context: LintContext, pods: _Pods) -> Iterator[RuleFinding]:
    """Find rollouts that can replace no pod."""
    found = rollout(one)
    new = found.new * pods.number // max(found.replicas, 1) if found else 0
    if found and 0 < pods.number <= pods.most < pods.number + new:
        waiting = f"its {new} new pods have" if new > 1 else "its new pod has"
        yield RuleFinding(
            found.pointer,
            f"A rollout waits for ever: {waiting} no room beside the {pods.number} with "
            f"{pods.gpus} {pods.resource} each, since the quota of {context.namespace} and its "
            f"pools hold {pods.most}, and none of these may go first ({found.why}).",
            f"Leave room for {new} more, or {found.instead}.",
        )


RULE = LintRule(
    "workload-quota",
    "A workload runs whole in the quota of its namespace, and on the nodes of its pools.",
    check,
)
