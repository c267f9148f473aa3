"""`policies.rules.time_sliced_inference` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.namespaces import is_in, of_purpose
from policies.in_cel.placement_variables import is_shared_by
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.rules.replica_spread import INFERENCE
from policies.rules.time_sliced_inference import TIME_SLICED

if TYPE_CHECKING:
    from policies.settings import Settings


def _warnings(settings: Settings) -> str:
    namespaces = of_purpose(INFERENCE, settings)
    sliced = any(each.sharing in TIME_SLICED for p in settings.pools for each in p.resources)
    if not namespaces or not sliced:
        return ""
    return (
        f"!({is_in(namespaces)}) ? []"
        f" : variables.wanted.filter(resource, {is_shared_by(TIME_SLICED)})"
        '.map(resource, "The pod serves users on " + resource + ", where pods take turns on a GPU.'
        ' Use a whole GPU or a MIG instance, which no other pod delays.")'
    )


RULE_IN_CEL = RuleInCel(RuleName.TIME_SLICED_INFERENCE, warnings=_warnings)
