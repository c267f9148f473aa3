"""Jobs wait in queues by a class of their team, and by that of their pods where they name none.

A team that named the class of another would start before others, and be the last to give back what
it has borrowed: like its pods, its jobs name the classes that it may use, in whatever field queues
read them. What has named one before keeps it: who releases its finalizers updates it.

Before Kubernetes 1.36 the API server changes nothing by itself, and the webhook names the class.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from charts_py.components.admission_policies.enforced import is_enforced
from charts_py.components.admission_policies.mutating_policy import MutatingPolicy, json_patch
from charts_py.components.admission_policies.policy import Policy, named
from charts_py.components.admission_policies.requests import writes_of
from charts_py.platform.judged_namespaces import only
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.job_priority import is_unranked, rank, refusal, refused
from policies.job_priority import default_class
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from policies.settings import QueuePriority, Settings

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
        body={
            "validations": [
                {
                    "expression": f"size({refused(priority, allowed)}) == 0",
                    "messageExpression": refusal(priority, allowed),
                    "reason": "Forbidden",
                }
            ]
        },
    )


def _naming(priority: QueuePriority, default: str, namespaces: Sequence[str]) -> MutatingPolicy:
    return MutatingPolicy(
        name=f"named-job-priorities.{namespaces[0]}.{LABEL_PREFIX}",
        namespaces=only(namespaces),
        rule=writes_of(priority.jobs),
        body={
            "matchConditions": named({"names-no-class": is_unranked(priority)}),
            "mutations": [json_patch(rank(priority, default))],
        },
        # Such a job waits behind others.
        failure_policy="Ignore",
        reinvocation_policy="IfNeeded",
    )
