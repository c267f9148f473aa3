"""GPU requests and limits are equal, as the API server demands of extended resources.

Source: `ValidateContainerResourceRequirements` in
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go. By the
name of a device class it lets a limit be above the request, which is what the scheduler gives.
"""

from collections.abc import Iterable, Iterator, Sequence

from policies.cel.gpus import IS_GPU, of_resources
from policies.cel.patch import add, of_containers, token
from policies.cel.pod import LIMITS, REQUESTS
from policies.cel.text import shown_in_cel
from policies.container import Container
from policies.document import Json, pointer, shown
from policies.finding import Finding, Severity
from policies.fix import put, put_all
from policies.pod import Pod
from policies.quantity import read_quantity
from policies.resource_validation import amounts_in_words
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings, UnequalGpus

_WITHOUT_LIMITS = Message(
    "The {culprit} requests {amounts} without a limit.",
    "Set {field}.resources.limits to the same amount.",
)
_DIFFERENT = Message(
    "The {culprit} requests {request} of {resource} but limits it to {limit}; the two must be "
    "equal.",
    "Set both to the number of GPUs that the container uses.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
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
            amounts, path = amounts_in_words(without), "/resources/limits"
            yield RULE.finding(_WITHOUT_LIMITS, path=path, of=container, amounts=amounts, fix=fix)


def _different(container: Container, resource: str, unequal: UnequalGpus) -> Finding:
    request, limit = container.requests[resource], container.limits[resource]
    follows = unequal is UnequalGpus.USE_LIMITS
    names = ("resources", "requests", resource)
    return RULE.finding(
        _DIFFERENT,
        path=pointer(*names),
        of=container,
        request=shown(request),
        resource=shown(resource),
        limit=shown(limit),
        fix=put(container.raw, container.pointer, names, limit) if follows else (),
    )


_IS_UNLIMITED = f"{IS_GPU} && !(resource in {LIMITS})"
_DIFFERING = (
    f"{REQUESTS}.filter(resource, {IS_GPU} && resource in {LIMITS}"
    f" && quantity(string({LIMITS}[resource]))"
    f".compareTo(quantity(string({REQUESTS}[resource]))) != 0)"
)


def _limits() -> str:
    at = 'placed[0] + "/resources/limits"'
    copied = add(f'{at} + "/" + {token("resource")}', f"{REQUESTS}[resource]")
    return (
        "(has(container.resources.limits)"
        f" || !({REQUESTS}.exists(resource, {_IS_UNLIMITED})) ? [] : [{add(at, '{}')}])"
        f" + {REQUESTS}.filter(resource, {_IS_UNLIMITED}).map(resource, {copied})"
    )


def _requests() -> str:
    at = f'placed[0] + "/resources/requests/" + {token("resource")}'
    return f"{_DIFFERING}.map(resource, {add(at, f'{LIMITS}[resource]')})"


def _fixes_in_cel(settings: Settings) -> str:
    operations = _limits()
    if settings.unequal_gpus is UnequalGpus.USE_LIMITS:
        operations += f" + {_requests()}"
    return of_containers("has(container.resources)", operations)


def _refusals_in_cel(settings: Settings) -> str:
    if settings.unequal_gpus is UnequalGpus.USE_LIMITS:
        return ""
    amounts = {
        "request": shown_in_cel(f"string({REQUESTS}[resource])"),
        "resource": shown_in_cel("resource"),
        "limit": shown_in_cel(f"string({LIMITS}[resource])"),
    }
    found = _DIFFERENT.in_cel(**amounts)
    return of_resources(
        "variables.containers", _DIFFERING, found, RuleName.GPU_REQUESTS_EQUAL_LIMITS
    )


RULE: Rule = Rule(
    RuleName.GPU_REQUESTS_EQUAL_LIMITS,
    summary="The request of a GPU resource equals its limit.",
    severity=Severity.FIX,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel, fixes=_fixes_in_cel),
)
