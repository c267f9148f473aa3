"""GPU pods carry the labels of their team, by which costs are allocated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import pointer, shown
from policies.finding import Severity
from policies.fix import put_all
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Add the namespace's labels; refuse other values, which would bill somebody else.

    Another value is not replaced: a controller whose selector names it would create pods forever.
    """
    namespace = context.namespace
    if namespace is None or namespace.labels.items() <= pod.labels.items():
        return ()
    return _mismatches(pod, namespace.labels)


def _mismatches(pod: Pod, expected: Mapping[str, str]) -> Iterator[Finding]:
    labels, missing = pod.labels, {}
    for key, value in expected.items():
        found = labels.get(key)
        if found is None:
            missing[key] = value
        elif found != value:
            yield _different(key, found, value)
    if missing and (fix := put_all(pod.document, "", ("metadata", "labels"), missing)):
        yield RULE.finding(
            path="/metadata/labels",
            culprit="the pod",
            message=f"The pod lacks the labels {', '.join(missing)} of its team.",
            remedy="Add them to metadata.labels.",
            fix=fix,
        )


def _different(key: str, found: Json, value: str) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path=f"/metadata/labels{pointer(key)}",
        culprit="the pod",
        message=f"The pod is labelled {key} {shown(found)}, but its namespace belongs to {value}.",
        remedy=f"Set the label to {value}, or leave it out.",
    )


RULE: Rule = Rule(
    RuleName.TEAM_LABELS,
    summary="A GPU pod carries the labels of its team.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    refuses_unfixed=True,
)
