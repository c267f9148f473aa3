"""`policies.rules.queue_scheduler` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import text
from policies.in_cel.namespaces import is_in
from policies.in_cel.patch import add
from policies.in_cel.requests import IS_CREATED
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.rules.queue_scheduler import DEFAULT_SCHEDULER

if TYPE_CHECKING:
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
    return f"!{_HAS_QUEUE} ? [] : ({_of_queue(scheduler)}) + ({_of_scheduler(scheduler)})"


def _of_queue(scheduler: QueueScheduler) -> str:
    key = scheduler.queue_annotation
    stated = f"object.metadata.?annotations[?{text(key)}]"
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


def _fixes(settings: Settings) -> str:
    scheduler = settings.queue_scheduler
    if scheduler is None:
        return ""
    named = add(text("/spec/schedulerName"), text(scheduler.name))
    return f"{_HAS_QUEUE} && {_IS_DEFAULT} ? [{named}] : []"


RULE_IN_CEL = RuleInCel(
    RuleName.QUEUE_SCHEDULER, refusals=_refusals, fixes=_fixes, variables=_variables
)
