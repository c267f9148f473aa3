"""GPU requests and limits are equal, as the API server demands of extended resources.

Source: `ValidateContainerResourceRequirements` in
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import pointer, shown
from policies.finding import Severity
from policies.fix import put
from policies.quantity import read_quantity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.settings import UnequalGpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterator[Finding]:
    """Copy a request without a limit to the limit; refuse two that differ, unless settings say."""
    for container in pod.containers:
        for resource in container.gpus:
            request = container.requests.get(resource)
            if request is None or read_quantity(request) is None:
                continue
            limit = container.limits.get(resource)
            if limit is None:
                yield from _without_limit(container, resource)
            elif request != limit and read_quantity(request) != read_quantity(limit):
                yield from _different(container, resource, context.settings.unequal_gpus)


def _without_limit(container: Container, resource: str) -> Iterator[Finding]:
    request = container.requests[resource]
    fix = put(container.raw, container.pointer, ("resources", "limits", resource), request)
    if fix:
        yield RULE.finding(
            path=f"{container.pointer}/resources/requests{pointer(resource)}",
            culprit=container.culprit,
            message=f"The {container.culprit} requests {shown(request)} of {resource} without a "
            "limit.",
            remedy=f"Set {container.field_path}.resources.limits to the same.",
            fix=fix,
        )


def _different(container: Container, resource: str, unequal: UnequalGpus) -> Iterator[Finding]:
    request, limit = container.requests[resource], container.limits[resource]
    follows = unequal is UnequalGpus.USE_LIMITS
    names = ("resources", "requests", resource)
    yield RULE.finding(
        severity=Severity.FIX if follows else Severity.REFUSE,
        path=container.pointer + pointer(*names),
        culprit=container.culprit,
        message=f"The {container.culprit} requests {shown(request)} of {resource} and limits it "
        f"to {shown(limit)}, which must be equal.",
        remedy="Set both to the number of GPUs that the container uses.",
        fix=put(container.raw, container.pointer, names, limit) if follows else (),
    )


RULE = Rule(
    RuleName.GPU_REQUESTS_EQUAL_LIMITS,
    summary="The request of a GPU resource equals its limit.",
    severity=Severity.FIX,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
)
