"""`policies.rules.gpu_requests_equal_limits` in CEL: what it fixes.

The API server itself refuses the rest, but by the name of a device class, where it lets a limit be
above the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.patch import add, of_containers
from policies.in_cel.pod_variables import IS_GPU
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.settings import UnequalGpus

if TYPE_CHECKING:
    from policies.settings import Settings

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


RULE_IN_CEL = RuleInCel(RuleName.GPU_REQUESTS_EQUAL_LIMITS, fixes=_fixes)
