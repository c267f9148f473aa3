"""GPU pods wait in the queue of their namespace, by the scheduler that has the queues.

A pod that another scheduler places is counted by no queue, and two schedulers that know nothing of
each other give the same GPU to two pods. One that the cluster does not run looks at no pod, and
nobody else does: such a pod waits without an event.
https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/
"""

from collections.abc import Iterable, Iterator, Mapping

from gpus.nearest import nearest, nearest_hint
from policies.cel.patch import add
from policies.cel.pod import IS_CREATED, LABELS, is_in
from policies.cel.text import quote, shown_in_cel, texts, texts_in_order
from policies.cel.variables import Variables
from policies.document import pointer, shown, text
from policies.finding import Finding, Severity
from policies.fix import put, put_all
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import QueueScheduler, Settings

DEFAULT_SCHEDULER = "default-scheduler"
"""What the API server fills in for a pod that names none."""
_UNNAMED = Message(
    "The pod names no scheduler, and the default one knows of no queue.",
    "Set spec.schedulerName to {scheduler}.",
)
_OTHER_SCHEDULER = Message(
    "The pod names the scheduler {named}, but GPUs are given out by {scheduler}.",
    "Set spec.schedulerName to {scheduler}, or leave it out.",
)
_OTHER_QUEUE = Message(
    "The pod names the queue {queue}, but that of its namespace is {namespace}.",
    "Set {key} to {namespace}, or leave it out.",
)
OPTIMIZING_SCHEDULER = "gke.io/optimize-utilization-scheduler"
"""What GKE writes into pods by a profile of its autoscaler:
https://cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler#autoscaling_profiles"""
_NOT_RUN = Message(
    "The pod names the scheduler {named}, which the cluster does not run: it would wait forever.",
    "Leave spec.schedulerName out; allowed: {allowed}{hint}.",
)
_LACKING = Message("The pod lacks the labels {keys} of its queue.", "Add them to metadata.labels.")


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Name scheduler and queue; refuse another scheduler, and the queue of another namespace.

    Elsewhere, refuse a scheduler that the cluster does not run.
    """
    scheduler = context.settings.queue_scheduler
    if scheduler is not None and context.namespace is not None:
        return _findings(pod, scheduler, context.namespace_name)
    named = text(pod.spec.get("schedulerName"))
    if named in ("", DEFAULT_SCHEDULER, OPTIMIZING_SCHEDULER):
        return ()
    known = _known(context.settings)
    return () if named in known else (_not_run(named, known),)


def _known(settings: Settings) -> tuple[str, ...]:
    queues = settings.queue_scheduler
    return (DEFAULT_SCHEDULER, *((queues.name,) if queues else ()), *settings.schedulers)


def _not_run(named: str, known: tuple[str, ...]) -> Finding:
    values = {"named": shown(named), "allowed": ", ".join(known)}
    hint = nearest_hint(nearest(named, known))
    return RULE.finding(_NOT_RUN, path="/spec/schedulerName", values=values, hint=hint)


def _findings(pod: Pod, scheduler: QueueScheduler, namespace: str) -> Iterator[Finding]:
    metadata = {"annotations": pod.annotations, "labels": pod.labels}
    for member, key in scheduler.queue_keys:
        queue = metadata[member].get(key)
        if queue is not None and queue != namespace:
            path, values = pointer("metadata", member, key), {"namespace": namespace, "key": key}
            yield RULE.finding(_OTHER_QUEUE, path=path, queue=shown(queue), values=values)
    yield from _scheduler_findings(pod, scheduler)
    yield from _label_findings(pod, scheduler.labels_in(namespace))


def _scheduler_findings(pod: Pod, scheduler: QueueScheduler) -> Iterator[Finding]:
    named = text(pod.spec.get("schedulerName"))
    if named in ("", DEFAULT_SCHEDULER):
        if fix := put(pod.document, "", ("spec", "schedulerName"), scheduler.name):
            yield RULE.finding(
                _UNNAMED, path="/spec/schedulerName", scheduler=scheduler.name, fix=fix
            )
    elif named != scheduler.name:
        values = {"named": shown(named), "scheduler": scheduler.name}
        yield RULE.finding(_OTHER_SCHEDULER, path="/spec/schedulerName", values=values)


def _label_findings(pod: Pod, expected: Mapping[str, str]) -> Iterator[Finding]:
    missing = {key: value for key, value in expected.items() if pod.labels.get(key) is None}
    if missing and (fix := put_all(pod.document, "", ("metadata", "labels"), missing)):
        yield RULE.finding(_LACKING, path="/metadata/labels", keys=", ".join(missing), fix=fix)


_HAS_QUEUE = "variables.queue_scheduler_has_queue"
_NAMED = 'object.spec.?schedulerName.orValue("")'
_IS_DEFAULT = f'{_NAMED} in ["", {quote(DEFAULT_SCHEDULER)}]'


def _variables(settings: Settings) -> Variables:
    if settings.queue_scheduler is None:
        return {}
    return {"queue_scheduler_has_queue": is_in(settings.namespaces)}


def _not_run_in_cel(settings: Settings) -> str:
    known = _known(settings)
    found = _NOT_RUN.filled(allowed=", ".join(known)).in_cel(
        named=shown_in_cel(_NAMED), hint=quote("")
    )
    return f"{_NAMED} in {texts(('', OPTIMIZING_SCHEDULER, *known))} ? [] : [{found}]"


def _refusals_in_cel(settings: Settings) -> str:
    scheduler = settings.queue_scheduler
    if scheduler is None:
        return _not_run_in_cel(settings)
    found = (
        *(_of_queue(member, key) for member, key in scheduler.queue_keys),
        _of_scheduler(scheduler),
        *_of_labels(scheduler),
    )
    joined = " + ".join(f"({each})" for each in found)
    return f"!{_HAS_QUEUE} ? ({_not_run_in_cel(settings)}) : {joined}"


def _of_queue(member: str, key: str) -> str:
    stated = f"object.metadata.?{member}[?{quote(key)}]"
    queue = f'{stated}.orValue("")'
    found = _OTHER_QUEUE.filled(key=key).in_cel(queue=shown_in_cel(queue))
    return f"!{stated}.hasValue() || {queue} == request.namespace ? [] : [{found}]"


def _of_scheduler(scheduler: QueueScheduler) -> str:
    unnamed = _UNNAMED.filled(scheduler=scheduler.name).in_cel()
    other = _OTHER_SCHEDULER.filled(scheduler=scheduler.name).in_cel(named=shown_in_cel(_NAMED))
    return (
        f"{_IS_DEFAULT} ? ({IS_CREATED} ? [{unnamed}] : [])"
        f" : {_NAMED} == {quote(scheduler.name)} ? [] : [{other}]"
    )


def _of_labels(scheduler: QueueScheduler) -> Iterator[str]:
    if keys := tuple(_labels(scheduler)):
        lacking = _LACKING.in_cel(keys=f'{_missing(keys)}.join(", ")')
        yield f"!{IS_CREATED} || size({_missing(keys)}) == 0 ? [] : [{lacking}]"


def _missing(keys: Iterable[str]) -> str:
    return f"{texts_in_order(keys)}.filter(key, !(key in {LABELS}))"


def _labels(scheduler: QueueScheduler) -> Mapping[str, str]:
    """Return the labels of a pod, with CEL for their values."""
    queue = {} if scheduler.queue_label is None else {scheduler.queue_label: "request.namespace"}
    return {**queue, **{key: quote(value) for key, value in scheduler.labels.items()}}


def _fixes_in_cel(settings: Settings) -> str:
    scheduler = settings.queue_scheduler
    if scheduler is None:
        return ""
    named = add(quote("/spec/schedulerName"), quote(scheduler.name))
    fixes = (f"{IS_CREATED} && {_IS_DEFAULT} ? [{named}] : []", *_label_fixes(_labels(scheduler)))
    return f"!{_HAS_QUEUE} ? [] : {' + '.join(f'({each})' for each in fixes)}"


def _label_fixes(labels: Mapping[str, str]) -> Iterator[str]:
    place = "/metadata/labels"
    if labels:
        # Those of the team are of the same stage, and make the object where it is missing.
        has_labels = "has(object.metadata.labels) || size(variables.team_labels_fixes) > 0"
        yield f"{has_labels} ? [] : [{add(quote(place), '{}')}]"
    for key, value in labels.items():
        added = add(quote(f"{place}{pointer(key)}"), value)
        yield f"{quote(key)} in {LABELS} ? [] : [{added}]"


RULE: Rule = Rule(
    RuleName.QUEUE_SCHEDULER,
    summary="A GPU pod waits in the queue of its namespace, by a scheduler that the cluster runs.",
    severity=Severity.FIX,
    evaluate=evaluate,
    refuses_unfixed=True,
    in_cel=InCel(
        refusals=_refusals_in_cel, fixes=_fixes_in_cel, fixes_updates=True, variables=_variables
    ),
)
