"""GPUs are asked for in whole, positive numbers.

The API server refuses such a Pod at once with `must be an integer`; for the template of a workload,
only its controller gets that error, later.
https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/

By the name of a device class it takes any amount, and the scheduler then gives a fraction no GPU:
`createResourceRequestAndMappings` in https://github.com/kubernetes/kubernetes
(pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go at v1.37.1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import pointer, shown
from policies.finding import Severity
from policies.quantity import read_quantity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from policies.container import Container
    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse fractional, negative and malformed amounts of a GPU resource."""
    malformed = [c for c in pod.gpu_containers if not c.states_whole_gpus]
    return _refusals(malformed) if malformed else ()


def _refusals(containers: Sequence[Container]) -> Iterator[Finding]:
    for container in containers:
        for resource in container.gpus:
            for field, amounts in (("limits", container.limits), ("requests", container.requests)):
                problem = _problem(amounts.get(resource)) if resource in amounts else None
                if problem is not None:
                    yield RULE.finding(
                        path=f"{container.pointer}/resources/{field}{pointer(resource)}",
                        culprit=container.culprit,
                        message=f"The {container.culprit} asks for {shown(amounts[resource])} of "
                        f"{shown(resource)} in {field}, which is {problem}.",
                        remedy="Ask for a whole number of GPUs, such as 1.",
                    )


def _problem(value: Json) -> str | None:
    amount = read_quantity(value)
    if amount is None:
        return "not a quantity"
    if amount < 0:
        return "negative"
    return None if type(amount) is int else "not whole"


RULE: Rule = Rule(
    RuleName.GPU_COUNT,
    summary="The amount of a GPU resource is a whole number that is not negative.",
    severity=Severity.REFUSE,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
)
