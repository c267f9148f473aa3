"""`policies.rules.gpu_resource_name` in CEL, which cannot find the name that is nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.joined import joined
from policies.in_cel.literal import text
from policies.in_cel.pod_fields import REQUESTS
from policies.in_cel.pod_variables import CULPRIT, IS_GPU
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import in_order, shown
from policies.rule_name import RuleName
from policies.rules.gpu_resource_name import asking_for

if TYPE_CHECKING:
    from policies.settings import Settings

_NAME = RuleName.GPU_RESOURCE_NAME
_UNKNOWN = (
    f"{REQUESTS}.filter(resource, variables.gpu_domains.exists(domain,"
    f" resource.startsWith(domain)) && !{IS_GPU}"
    ' && string(container.resources.requests[resource]) != "0")'
)


def _warnings(settings: Settings) -> str:
    offered = sorted({resource.name for pool in settings.pools for resource in pool.resources})
    found = (
        f'{in_order(_UNKNOWN)}.map(resource, "The " + {CULPRIT} + " asks for "'
        f' + {shown("resource")} + ", which no pool offers and which names no GPU. "'
        f" + {text(f'{asking_for(offered)}.')})"
    )
    return (
        f"variables.containers.filter(container, size({_UNKNOWN}) > 0)"
        f".map(container, {joined(found, _NAME)})"
    )


RULE_IN_CEL = RuleInCel(_NAME, warnings=_warnings)
