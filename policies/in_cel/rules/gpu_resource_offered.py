"""`policies.rules.gpu_resource_offered` in CEL.

CEL cannot find which name is near another. What is near to the names that GPUs are known by is
therefore written down; an unknown name gets the list of what is offered.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from policies.gpu_names import known_gpu_resources
from policies.in_cel.joined import joined
from policies.in_cel.literal import lines, text
from policies.in_cel.placement_variables import OFFERS
from policies.in_cel.pod_fields import REQUESTS
from policies.in_cel.pod_variables import CULPRIT, is_asked
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import in_order, shown
from policies.rule_name import RuleName
from policies.rules.gpu_resource_offered import remedy_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from policies.settings import Settings

_NAME = RuleName.GPU_RESOURCE_OFFERED
_ABSENT = (
    f"{REQUESTS}.filter(resource, {is_asked('container.resources.requests')}"
    f" && !variables.pools.exists(pool, {OFFERS}))"
)


def _offered(settings: Settings) -> tuple[str, ...]:
    return tuple(sorted({resource.name for pool in settings.pools for resource in pool.resources}))


@cache
def _near_remedies(offered: tuple[str, ...]) -> Mapping[str, str]:
    """Return what to ask for in place of known names that are near to one that is offered.

    Comparing all names takes long, and the expressions of a cluster are written several times.
    """
    general = remedy_for("", offered)
    remedies = {name: remedy_for(name, offered) for name in known_gpu_resources()}
    return {name: remedy for name, remedy in remedies.items() if remedy != general}


def _variables(settings: Settings) -> Variables:
    near = _near_remedies(_offered(settings))
    return {"gpu_resource_offered_remedies": lines(near)} if near else {}


def _refusals(settings: Settings) -> str:
    general = text(remedy_for("", _offered(settings)))
    remedy = general
    if _variables(settings):
        remedy = f"variables.gpu_resource_offered_remedies[?resource].orValue({general})"
    found = (
        f'{in_order(_ABSENT)}.map(resource, "The " + {CULPRIT} + " asks for "'
        f' + {shown("resource")} + ", which no pool offers. " + {remedy})'
    )
    return (
        f"variables.gpu_containers.filter(container, size({_ABSENT}) > 0)"
        f".map(container, {joined(found, _NAME)})"
    )


RULE_IN_CEL = RuleInCel(_NAME, refusals=_refusals, variables=_variables)
