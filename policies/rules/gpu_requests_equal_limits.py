"""GPU requests and limits are equal, as the API server demands of extended resources.

Source: `ValidateContainerResourceRequirements` in
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go. By the
name of a device class it lets a limit be above the request, which is what the scheduler gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import listed, pointer, shown
from policies.finding import Severity
from policies.fix import put, put_all
from policies.quantity import read_quantity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.settings import UnequalGpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from policies.container import Container
    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.operation import Operation
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Copy a request to a missing limit; where they differ, refuse or use the limit, as set."""
    if _all_equal(pod.gpu_containers):
        return ()
    return _unequal(pod.gpu_containers, context.settings.unequal_gpus)


def _all_equal(containers: Sequence[Container]) -> bool:
    for container in containers:
        requests, limits = container.requests, container.limits
        for resource in container.gpus:
            if resource in requests and requests[resource] != limits.get(resource):
                return False
    return True


def _unequal(containers: Sequence[Container], unequal: UnequalGpus) -> Iterator[Finding]:
    for container in containers:
        without: dict[str, Json] = {}
        for resource in container.gpus:
            request = container.requests.get(resource)
            if request is None or read_quantity(request) is None:
                continue
            limit = container.limits.get(resource)
            if limit is None:
                without[resource] = request
            elif request != limit and read_quantity(request) != read_quantity(limit):
                yield _different(container, resource, unequal)
        if not without:
            continue
        # All in one finding: if two each added `limits`, the second would replace the first.
        fix = put_all(container.raw, container.pointer, ("resources", "limits"), without)
        if fix:
            yield _without_limits(container, without, fix)


def _without_limits(
    container: Container, requests: dict[str, Json], fix: tuple[Operation, ...]
) -> Finding:
    amounts = listed([f"{shown(v)} of {shown(name)}" for name, v in requests.items()], " and ")
    culprit = container.culprit
    return RULE.finding(
        path=f"{container.pointer}/resources/limits",
        culprit=culprit,
        message=f"The {culprit} requests {amounts} without a limit.",
        remedy=f"Set {container.field_path}.resources.limits to the same amount.",
        fix=fix,
    )


def _different(container: Container, resource: str, unequal: UnequalGpus) -> Finding:
    request, limit = container.requests[resource], container.limits[resource]
    follows = unequal is UnequalGpus.USE_LIMITS
    names = ("resources", "requests", resource)
    return RULE.finding(
        severity=Severity.FIX if follows else Severity.REFUSE,
        path=container.pointer + pointer(*names),
        culprit=container.culprit,
        message=f"The {container.culprit} requests {shown(request)} of {shown(resource)} but "
        f"limits it to {shown(limit)}; the two must be equal.",
        remedy="Set both to the number of GPUs that the container uses.",
        fix=put(container.raw, container.pointer, names, limit) if follows else (),
    )


RULE: Rule = Rule(
    RuleName.GPU_REQUESTS_EQUAL_LIMITS,
    summary="The request of a GPU resource equals its limit.",
    severity=Severity.FIX,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
)
