"""`policies.rules.replica_spread` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import text
from policies.in_cel.namespaces import is_in, of_purpose
from policies.in_cel.patch import members, put
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName
from policies.rules.replica_spread import IDENTITIES, INFERENCE, PREFERRED, TOPOLOGY, WEIGHT

if TYPE_CHECKING:
    from policies.settings import Settings

_SERVICE = "variables.replica_spread_service"
_SPREADS = (
    "size(object.spec.?affinity.?podAntiAffinity.orValue({})) > 0"
    " || size(object.spec.?topologySpreadConstraints.orValue([])) > 0"
)


def _service() -> str:
    """Return CEL for a map of the labels that all replicas share; empty where there are none."""
    service = "{}"
    for keys in reversed(IDENTITIES):
        labels = [f"object.metadata.?labels[?{text(key)}].orValue({text('')})" for key in keys]
        named = " && ".join(f'{each} != ""' for each in labels)
        found = ", ".join(f"{text(key)}: {each}" for key, each in zip(keys, labels, strict=True))
        service = f"{named} ? {{{found}}} : {service}"
    return service


def _variables(settings: Settings) -> Variables:
    return {"replica_spread_service": _service()} if of_purpose(INFERENCE, settings) else {}


def _fixes(settings: Settings) -> str:
    namespaces = of_purpose(INFERENCE, settings)
    if not namespaces:
        return ""
    selected = f'{{"matchLabels": {_SERVICE}}}'
    term = members({"labelSelector": selected, "topologyKey": text(TOPOLOGY)})
    preference = members({"weight": str(WEIGHT), "podAffinityTerm": term})
    return (
        f"!({is_in(namespaces)}) || {_SPREADS} || size({_SERVICE}) == 0 ? []"
        f" : [{put(PREFERRED, f'[{preference}]')}]"
    )


RULE_IN_CEL = RuleInCel(RuleName.REPLICA_SPREAD, fixes=_fixes, variables=_variables)
