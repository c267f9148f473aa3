"""GPU pods wait in the queue of their namespace, by the scheduler that has the queues.

A pod that another scheduler places is counted by no queue, and two schedulers that know nothing of
each other give the same GPU to two pods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import pointer, shown, text
from policies.finding import Severity
from policies.fix import put, put_all
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.pod import Pod
    from policies.settings import QueueScheduler

DEFAULT_SCHEDULER = "default-scheduler"
"""What the API server fills in for a pod that names none."""


def concerns(context: Context) -> bool:
    """Whether the namespace has a queue of a scheduler."""
    return context.settings.queue_scheduler is not None and context.namespace is not None


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Name scheduler and queue; refuse another scheduler, and the queue of another namespace."""
    scheduler = context.settings.queue_scheduler
    return () if scheduler is None else _findings(pod, scheduler, context.namespace_name)


def _findings(pod: Pod, scheduler: QueueScheduler, namespace: str) -> Iterator[Finding]:
    metadata = {"annotations": pod.annotations, "labels": pod.labels}
    for member, key in scheduler.queue_keys:
        queue = metadata[member].get(key)
        if queue is not None and queue != namespace:
            yield _other_queue(queue, (member, key), namespace)
    yield from _scheduler_findings(pod, scheduler)
    yield from _label_findings(pod, scheduler.labels_in(namespace))


def _scheduler_findings(pod: Pod, scheduler: QueueScheduler) -> Iterator[Finding]:
    named = text(pod.spec.get("schedulerName"))
    if named in ("", DEFAULT_SCHEDULER):
        if fix := put(pod.document, "", ("spec", "schedulerName"), scheduler.name):
            yield RULE.finding(
                path="/spec/schedulerName",
                culprit="the pod",
                message="The pod names no scheduler, and the default one knows of no queue.",
                remedy=f"Set spec.schedulerName to {scheduler.name}.",
                fix=fix,
            )
    elif named != scheduler.name:
        yield _other_scheduler(named, scheduler)


def _label_findings(pod: Pod, expected: Mapping[str, str]) -> Iterator[Finding]:
    missing = {key: value for key, value in expected.items() if pod.labels.get(key) is None}
    if missing and (fix := put_all(pod.document, "", ("metadata", "labels"), missing)):
        yield RULE.finding(
            path="/metadata/labels",
            culprit="the pod",
            message=f"The pod lacks the labels {', '.join(missing)} of its queue.",
            remedy="Add them to metadata.labels.",
            fix=fix,
        )


def _other_scheduler(named: str, scheduler: QueueScheduler) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path="/spec/schedulerName",
        culprit="the pod",
        message=f"The pod names the scheduler {shown(named)}, but GPUs are given out by"
        f" {scheduler.name}.",
        remedy=f"Set spec.schedulerName to {scheduler.name}, or leave it out.",
    )


def _other_queue(queue: Json, named_in: tuple[str, str], namespace: str) -> Finding:
    _, key = named_in
    return RULE.finding(
        severity=Severity.REFUSE,
        path=pointer("metadata", *named_in),
        culprit="the pod",
        message=f"The pod names the queue {shown(queue)}, but that of its namespace is"
        f" {namespace}.",
        remedy=f"Set {key} to {namespace}, or leave it out.",
    )


RULE: Rule = Rule(
    RuleName.QUEUE_SCHEDULER,
    summary="A GPU pod waits in the queue of its namespace.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    refuses_unfixed=True,
    concerns=concerns,
)
