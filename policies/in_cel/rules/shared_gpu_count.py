"""`policies.rules.shared_gpu_count` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.capacity import SHARED
from policies.in_cel.joined import joined
from policies.in_cel.placement_variables import is_shared_by, ways_of_sharing
from policies.in_cel.pod_variables import CULPRIT, amount_in
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_NAME = RuleName.SHARED_GPU_COUNT
_SEVERAL = (
    "variables.shared_gpu_count_resources.filter(resource,"
    f" {amount_in('container', 'resource')} > 1)"
)


def _is_shared(settings: Settings) -> bool:
    return any(each.sharing in SHARED for pool in settings.pools for each in pool.resources)


def _variables(settings: Settings) -> Variables:
    if not _is_shared(settings):
        return {}
    shared = f"variables.wanted.filter(resource, {is_shared_by(SHARED)})"
    return {"shared_gpu_count_resources": shared}


def _refusals(settings: Settings) -> str:
    if not _is_shared(settings):
        return ""
    found = (
        f'"The " + {CULPRIT} + " asks for " + string({amount_in("container", "resource")})'
        ' + " of " + resource + ", which is shared by "'
        f' + {ways_of_sharing("resource")}.join(" and ") + ": several shares give no more than'
        ' one. Ask for 1, or for a resource that is not shared."'
    )
    return (
        f"variables.gpu_containers.filter(container, size({_SEVERAL}) > 0).map(container,"
        f" {joined(f'{_SEVERAL}.map(resource, {found})', _NAME)})"
    )


RULE_IN_CEL = RuleInCel(_NAME, refusals=_refusals, variables=_variables)
