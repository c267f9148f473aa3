"""`policies.rules.gpu_requests_equal_limits` in CEL.

The API server itself refuses what is not fixed, but by the name of a device class, where it lets a
limit be above the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.patch import add, of_containers
from policies.in_cel.pod_variables import CULPRIT, IS_GPU
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import in_order, shown
from policies.rule_name import RuleName
from policies.settings import UnequalGpus

if TYPE_CHECKING:
    from policies.settings import Settings

_NAME = RuleName.GPU_REQUESTS_EQUAL_LIMITS
_REQUESTS = "container.?resources.?requests.orValue({})"
_LIMITS = "container.?resources.?limits.orValue({})"
_KEY = 'resource.replace("~", "~0").replace("/", "~1")'
_UNLIMITED = f"{_REQUESTS}.exists(resource, {IS_GPU} && !(resource in {_LIMITS}))"
_DIFFERS = (
    f"resource in {_LIMITS} && quantity(string({_LIMITS}[resource]))"
    f".compareTo(quantity(string({_REQUESTS}[resource]))) != 0"
)


def _limits() -> str:
    """Return CEL for the operations that copy requests to missing limits."""
    at = 'placed[0] + "/resources/limits"'
    missing = f"{_REQUESTS}.filter(resource, {IS_GPU} && !(resource in {_LIMITS}))"
    copied = add(f'{at} + "/" + {_KEY}', f"{_REQUESTS}[resource]")
    return (
        f"(has(container.resources.limits) || !({_UNLIMITED}) ? [] : [{add(at, '{}')}])"
        f" + {missing}.map(resource, {copied})"
    )


def _requests() -> str:
    """Return CEL for the operations that set requests to limits that differ."""
    differing = f"{_REQUESTS}.filter(resource, {IS_GPU} && {_DIFFERS})"
    at = f'placed[0] + "/resources/requests/" + {_KEY}'
    return f"{differing}.map(resource, {add(at, f'{_LIMITS}[resource]')})"


def _fixes(settings: Settings) -> str:
    operations = _limits()
    if settings.unequal_gpus is UnequalGpus.USE_LIMITS:
        operations += f" + {_requests()}"
    return of_containers("has(container.resources)", operations)


def _refusals(settings: Settings) -> str:
    if settings.unequal_gpus is UnequalGpus.USE_LIMITS:
        return ""
    request, limit = f"string({_REQUESTS}[resource])", f"string({_LIMITS}[resource])"
    differing = f"{_REQUESTS}.filter(resource, {IS_GPU} && {_DIFFERS})"
    found = (
        f"{in_order(differing)}.map(resource,"
        f' "The " + {CULPRIT} + " requests " + {shown(request)} + " of " + {shown("resource")}'
        f' + " but limits it to " + {shown(limit)} + "; the two must be equal. Set'
        ' both to the number of GPUs that the container uses.")'
    )
    return (
        f"variables.containers.filter(container, size({differing}) > 0)"
        f'.map(container, {found}.join(" {_NAME.value}: "))'
    )


RULE_IN_CEL = RuleInCel(_NAME, refusals=_refusals, fixes=_fixes)
