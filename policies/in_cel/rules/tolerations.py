"""`policies.rules.tolerations` in CEL; on what it adds, a scheduler insists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import PURCHASE
from gpus.purchase import Purchase
from policies.in_cel.literal import lines, text, texts
from policies.in_cel.namespaces import is_in
from policies.in_cel.patch import append, members
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.tolerating import is_tolerated
from policies.rule_name import RuleName
from policies.spot import SPOT_LABELS, is_spot

if TYPE_CHECKING:
    from policies.settings import Settings

_REACHED = "variables.reached"
_IS_UNTOLERATED = (
    f"{_REACHED}.exists(pool, variables.pool_taints[pool].exists(taint, !{is_tolerated('taint')}))"
)
_REMEDY = f"Annotate it with {PURCHASE}: {Purchase.SPOT.value}, if it may be interrupted."
_IS_SPOT = "pool in variables.tolerations_spot_pools"


def _spot_pools(settings: Settings) -> list[str]:
    return [pool.name for pool in settings.pools if is_spot(pool)]


def _variables(settings: Settings) -> Variables:
    spot = _spot_pools(settings)
    if not spot:
        return {"tolerations_missing": _missing(_REACHED)}
    return {
        "tolerations_spot_pools": texts(spot),
        "tolerations_spot_labels": lines(SPOT_LABELS),
        "tolerations_opts_in": _opts_in(settings),
        "tolerations_missing": _missing(
            f"{_REACHED}.filter(pool, variables.tolerations_opts_in || !({_IS_SPOT}))"
        ),
        "tolerations_only_spot": f"size({_REACHED}) > 0 && {_REACHED}.all(pool, {_IS_SPOT})",
    }


def _opts_in(settings: Settings) -> str:
    """Return CEL for whether the pod, or all of its namespace, may run on spot nodes."""
    willing = [name for name, each in settings.namespaces.items() if each.spot]
    annotated = f'object.metadata.?annotations[?{text(PURCHASE)}].orValue("")'
    return (
        f"{is_in(willing)} || {annotated} == {text(Purchase.SPOT.value)}"
        " || variables.node_selector.exists(key, key in variables.tolerations_spot_labels"
        " && variables.node_selector[key] == variables.tolerations_spot_labels[key])"
    )


def _missing(pools: str) -> str:
    taints = f"{pools}.map(pool, variables.pool_taints[pool]).flatten().distinct()"
    return f"{taints}.filter(taint, !{is_tolerated('taint')})"


def _refusals(settings: Settings) -> str:
    if not _spot_pools(settings):
        return ""
    return (
        "!variables.tolerations_only_spot || variables.tolerations_opts_in"
        f" || !{_IS_UNTOLERATED} ? []"
        f' : ["The pod can run on spot nodes only, those of " + {_REACHED}.join(", ")'
        f" + {text(f', and does not opt in to them. {_REMEDY}')}]"
    )


def _fixes(settings: Settings) -> str:
    if not any(pool.taints for pool in settings.pools):
        return ""
    fields = ("key", "operator", "value", "effect")
    values = ("taint[0]", text("Equal"), "taint[1]", "taint[2]")
    toleration = members(dict(zip(fields, values, strict=True)))
    added = f"variables.tolerations_missing.map(taint, {toleration})"
    at = text("/spec/tolerations")
    return (
        "size(variables.tolerations_missing) == 0 ? []"
        f" : {append('has(object.spec.tolerations)', at, added)}"
    )


RULE_IN_CEL = RuleInCel(
    RuleName.TOLERATIONS,
    refusals=_refusals,
    fixes=_fixes,
    fixes_updates=True,
    variables=_variables,
)
