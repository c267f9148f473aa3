"""`policies.rules.gpu_requests_equal_limits` in CEL.

The API server itself refuses what is not fixed, but by the name of a device class, where it lets a
limit be above the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.joined import joined
from policies.in_cel.patch import add, of_containers, token
from policies.in_cel.pod_fields import LIMITS, REQUESTS
from policies.in_cel.pod_variables import CULPRIT, IS_GPU
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import in_order, shown
from policies.rule_name import RuleName
from policies.settings import UnequalGpus

if TYPE_CHECKING:
    from policies.settings import Settings

_NAME = RuleName.GPU_REQUESTS_EQUAL_LIMITS
_IS_UNLIMITED = f"{IS_GPU} && !(resource in {LIMITS})"
_DIFFERING = (
    f"{REQUESTS}.filter(resource, {IS_GPU} && resource in {LIMITS}"
    f" && quantity(string({LIMITS}[resource]))"
    f".compareTo(quantity(string({REQUESTS}[resource]))) != 0)"
)


def _limits() -> str:
    """Return CEL for the operations that copy requests to missing limits."""
    at = 'placed[0] + "/resources/limits"'
    copied = add(f'{at} + "/" + {token("resource")}', f"{REQUESTS}[resource]")
    return (
        "(has(container.resources.limits)"
        f" || !({REQUESTS}.exists(resource, {_IS_UNLIMITED})) ? [] : [{add(at, '{}')}])"
        f" + {REQUESTS}.filter(resource, {_IS_UNLIMITED}).map(resource, {copied})"
    )


def _requests() -> str:
    """Return CEL for the operations that set requests to limits that differ."""
    at = f'placed[0] + "/resources/requests/" + {token("resource")}'
    return f"{_DIFFERING}.map(resource, {add(at, f'{LIMITS}[resource]')})"


def _fixes(settings: Settings) -> str:
    operations = _limits()
    if settings.unequal_gpus is UnequalGpus.USE_LIMITS:
        operations += f" + {_requests()}"
    return of_containers("has(container.resources)", operations)


def _refusals(settings: Settings) -> str:
    if settings.unequal_gpus is UnequalGpus.USE_LIMITS:
        return ""
    request, limit = f"string({REQUESTS}[resource])", f"string({LIMITS}[resource])"
    found = (
        f"{in_order(_DIFFERING)}.map(resource,"
        f' "The " + {CULPRIT} + " requests " + {shown(request)} + " of " + {shown("resource")}'
        f' + " but limits it to " + {shown(limit)} + "; the two must be equal. Set'
        ' both to the number of GPUs that the container uses.")'
    )
    return (
        f"variables.containers.filter(container, size({_DIFFERING}) > 0)"
        f".map(container, {joined(found, _NAME)})"
    )


RULE_IN_CEL = RuleInCel(_NAME, refusals=_refusals, fixes=_fixes)
