"""`policies.rules.queue_scheduler` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import pointer
from policies.in_cel.literal import text, texts_in_order
from policies.in_cel.namespaces import is_in
from policies.in_cel.patch import add
from policies.in_cel.pod_fields import LABELS
from policies.in_cel.requests import IS_CREATED
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.rules.queue_scheduler import DEFAULT_SCHEDULER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from policies.settings import QueueScheduler, Settings

_HAS_QUEUE = "variables.queue_scheduler_has_queue"
_NAMED = 'object.spec.?schedulerName.orValue("")'
_IS_DEFAULT = f'{_NAMED} in ["", {text(DEFAULT_SCHEDULER)}]'


def _variables(settings: Settings) -> Variables:
    if settings.queue_scheduler is None:
        return {}
    return {"queue_scheduler_has_queue": is_in(settings.namespaces)}


def _refusals(settings: Settings) -> str:
    scheduler = settings.queue_scheduler
    if scheduler is None:
        return ""
    found = (
        *(_of_queue(member, key) for member, key in scheduler.queue_keys),
        _of_scheduler(scheduler),
        *_of_labels(scheduler),
    )
    return f"!{_HAS_QUEUE} ? [] : {' + '.join(f'({each})' for each in found)}"


def _of_queue(member: str, key: str) -> str:
    stated = f"object.metadata.?{member}[?{text(key)}]"
    queue = f'{stated}.orValue("")'
    return (
        f"!{stated}.hasValue() || {queue} == request.namespace ? []"
        f' : ["The pod names the queue " + {shown(queue)}'
        f' + ", but that of its namespace is " + request.namespace'
        f' + ". Set {key} to " + request.namespace + ", or leave it out."]'
    )


def _of_scheduler(scheduler: QueueScheduler) -> str:
    remedy = f"Set spec.schedulerName to {scheduler.name}"
    unnamed = f"The pod names no scheduler, and the default one knows of no queue. {remedy}."
    but = f", but GPUs are given out by {scheduler.name}. {remedy}, or leave it out."
    return (
        f"{_IS_DEFAULT} ? ({IS_CREATED} ? [{text(unnamed)}] : [])"
        f" : {_NAMED} == {text(scheduler.name)} ? []"
        f' : ["The pod names the scheduler " + {shown(_NAMED)} + {text(but)}]'
    )


def _of_labels(scheduler: QueueScheduler) -> Iterator[str]:
    """Yield what is found of labels that the scheduler reads, where it reads any."""
    if keys := tuple(_labels(scheduler)):
        lacks = f'"The pod lacks the labels " + {_missing(keys)}.join(", ") + " of its queue.'
        yield (
            f"!{IS_CREATED} || size({_missing(keys)}) == 0 ? []"
            f' : [{lacks} Add them to metadata.labels."]'
        )


def _missing(keys: Iterable[str]) -> str:
    return f"{texts_in_order(keys)}.filter(key, !(key in {LABELS}))"


def _labels(scheduler: QueueScheduler) -> Mapping[str, str]:
    """Return the labels of a pod, with CEL for their values."""
    queue = {} if scheduler.queue_label is None else {scheduler.queue_label: "request.namespace"}
    return {**queue, **{key: text(value) for key, value in scheduler.labels.items()}}


def _fixes(settings: Settings) -> str:
    scheduler = settings.queue_scheduler
    if scheduler is None:
        return ""
    named = add(text("/spec/schedulerName"), text(scheduler.name))
    fixes = (f"{IS_CREATED} && {_IS_DEFAULT} ? [{named}] : []", *_label_fixes(_labels(scheduler)))
    return f"!{_HAS_QUEUE} ? [] : {' + '.join(f'({each})' for each in fixes)}"


def _label_fixes(labels: Mapping[str, str]) -> Iterator[str]:
    place = "/metadata/labels"
    if labels:
        # Those of the team are of the same stage, and make the object where it is missing.
        has_labels = "has(object.metadata.labels) || size(variables.team_labels_fixes) > 0"
        yield f"{has_labels} ? [] : [{add(text(place), '{}')}]"
    for key, value in labels.items():
        added = add(text(f"{place}{pointer(key)}"), value)
        yield f"{text(key)} in {LABELS} ? [] : [{added}]"


RULE_IN_CEL = RuleInCel(
    RuleName.QUEUE_SCHEDULER,
    refusals=_refusals,
    fixes=_fixes,
    fixes_updates=True,
    variables=_variables,
)
