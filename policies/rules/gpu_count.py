"""GPUs are asked for in whole, positive numbers.

The API server refuses such a Pod at once with `must be an integer`; for the template of a workload,
only its controller gets that error, later.
https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/

By the name of a device class it takes any amount, and the scheduler then gives a fraction no GPU:
`createResourceRequestAndMappings` in https://github.com/kubernetes/kubernetes
(pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go at v1.37.1)
"""

from collections.abc import Iterable, Iterator, Sequence

from policies.cel.amounts import MOST_GPUS, amount
from policies.cel.gpus import IS_GPU, of_resources
from policies.cel.pod import REQUESTS
from policies.cel.text import joined, shown_in_cel
from policies.container import Container
from policies.document import Json, pointer, shown
from policies.finding import Finding
from policies.pod import Pod
from policies.quantity import read_quantity
from policies.rule import Audience, Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

_BROKEN = Message(
    "The {culprit} asks for {amount} of {resource} in {field}, which is {problem}.",
    "Ask for a whole number of GPUs, such as 1.",
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    malformed = [c for c in pod.gpu_containers if not c.states_whole_gpus]
    return _refusals(malformed) if malformed else ()


def _refusals(containers: Sequence[Container]) -> Iterator[Finding]:
    for container in containers:
        for resource in container.gpus:
            for field, amounts in (("limits", container.limits), ("requests", container.requests)):
                problem = _problem(amounts.get(resource)) if resource in amounts else None
                if problem is not None:
                    yield RULE.finding(
                        _BROKEN,
                        path=f"/resources/{field}{pointer(resource)}",
                        of=container,
                        amount=shown(amounts[resource]),
                        resource=shown(resource),
                        field=field,
                        problem=problem,
                    )


def _problem(value: Json) -> str | None:
    amount = read_quantity(value)
    if amount is None:
        return "not a quantity"
    if amount < 0:
        return "negative"
    return None if type(amount) is int else "not whole"


def _stated(field: str) -> str:
    return f'container.?resources.?{field}[?resource].orValue("0")'


def _amount(field: str) -> str:
    return f"string({_stated(field)})"


def _is_broken(field: str) -> str:
    # To the API server an amount of 19 digits is not an integer; gpus-per-node refuses as many.
    return (
        f"(!quantity({_amount(field)}).isInteger()"
        f" && {amount(_stated(field))} < {float(MOST_GPUS)})"
    )


def _found(field: str) -> str:
    broken = _BROKEN.filled(field=field, problem="not whole").in_cel(
        amount=shown_in_cel(_amount(field))
    )
    return f"({_is_broken(field)} ? [{broken}] : [])"


_ANY_BROKEN = (
    f"{REQUESTS}.filter(resource, {IS_GPU} && ({_is_broken('limits')} || {_is_broken('requests')}))"
)
_FOUND = joined(f"({_found('limits')} + {_found('requests')})", RuleName.GPU_COUNT)
_REFUSED = of_resources("variables.containers", _ANY_BROKEN, _FOUND, RuleName.GPU_COUNT)

RULE: Rule = Rule(
    RuleName.GPU_COUNT,
    summary="The amount of a GPU resource is a whole number that is not negative.",
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    in_cel=InCel(refusals=always(_REFUSED)),
)
