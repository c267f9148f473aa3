"""GPU requests and limits are equal, as the API server demands of extended resources.

Source: `ValidateContainerResourceRequirements` in
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import field_path, pointer
from policies.finding import Finding, Severity
from policies.fix import put
from policies.quantity import read_quantity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.settings import UnequalGpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.container import Container
    from policies.context import Context
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterator[Finding]:
    """Copy a request without a limit to the limit; refuse two that differ, unless settings say."""
    for container in pod.containers:
        for resource in container.gpus:
            request = container.requests.get(resource)
            if request is None:
                continue
            limit = container.limits.get(resource)
            if limit is None:
                yield from _without_limit(pod, container, resource)
            elif request != limit and read_quantity(request) != read_quantity(limit):
                yield from _different(pod, container, resource, context.settings.unequal_gpus)


def _without_limit(pod: Pod, container: Container, resource: str) -> Iterator[Finding]:
    tokens = (*container.tokens, "resources", "limits", resource)
    request = container.requests[resource]
    fix = put(pod.document, tokens, request)
    if fix:
        at = pointer(*tokens)
        yield Finding(
            RULE.name,
            Severity.FIX,
            path=at,
            culprit=container.culprit,
            message=f"The {container.culprit} requests {request} of {resource} without a limit.",
            remedy=f"Set {field_path(at)} to {request}.",
            fix=fix,
        )


def _different(
    pod: Pod, container: Container, resource: str, unequal: UnequalGpus
) -> Iterator[Finding]:
    tokens = (*container.tokens, "resources", "requests", resource)
    request, limit = container.requests[resource], container.limits[resource]
    follows = unequal is UnequalGpus.USE_LIMITS
    yield Finding(
        RULE.name,
        Severity.FIX if follows else Severity.REFUSE,
        path=pointer(*tokens),
        culprit=container.culprit,
        message=f"The {container.culprit} requests {request} of {resource} and limits it to "
        f"{limit}, which must be equal.",
        remedy="Set both to the number of GPUs that the container uses.",
        fix=put(pod.document, tokens, limit) if follows else (),
    )


RULE = Rule(
    RuleName.GPU_REQUESTS_EQUAL_LIMITS,
    summary="The request of a GPU resource equals its limit.",
    severity=Severity.FIX,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
)
