"""GPU pods tolerate the taints of the pools that offer what they ask for.

https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
"""

from collections.abc import Iterable

from gpus.platform_names import PURCHASE
from gpus.purchase import Purchase
from policies.cel.patch import append_in_cel, object_literal
from policies.cel.placement import is_tolerated, usable_in_cel
from policies.cel.pod import EXPRESSIONS, VALUES, is_in
from policies.cel.text import lines, quote, texts
from policies.cel.variables import Variables
from policies.finding import Finding, Severity
from policies.fix import append
from policies.pod import Pod
from policies.reach import usable
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings
from policies.toleration import is_spot, spot_labels, untolerated, wants_spot

_ONLY_SPOT = Message(
    "The pod can run on spot nodes only, those of {pools}, and does not opt in to them.",
    f"Add {PURCHASE}: {Purchase.SPOT.value} to metadata.annotations, if it may be interrupted.",
)
_UNTOLERATED = Message(
    "The pod does not tolerate the taint{s} {taints} of nodes that offer {resources}.",
    "Add the toleration{s} to spec.tolerations.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Add the missing tolerations; those for spot nodes only where the pod or its team opts in.

    A pod that can run on spot nodes alone is refused unless one of them does.
    """
    reach = context.reach(pod)
    opts_in = (context.namespace is not None and context.namespace.spot) or wants_spot(
        pod, context.offer.spot_labels
    )
    missing = untolerated(reach.taints_with_spot if opts_in else reach.taints, pod.tolerations)
    if not missing:
        return () if opts_in or not reach.only_spot else _unwilling(pod, context)
    added = [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in missing
    ]
    fix = append(pod.document, "", ("spec", "tolerations"), added)
    if not fix:
        return ()
    values = {
        "s": "" if len(missing) == 1 else "s",
        "taints": ", ".join(map(str, missing)),
        "resources": ", ".join(pod.gpus),
    }
    return (RULE.finding(_UNTOLERATED, path="/spec/tolerations", fix=fix, values=values),)


def _unwilling(pod: Pod, context: Context) -> tuple[Finding, ...]:
    reach = context.reach(pod)
    pools = ", ".join([pool.name for pool in usable(reach.pools, context.namespace)])
    # Where the namespace may use none of them, another rule says so.
    if not pools or not untolerated(reach.taints_with_spot, pod.tolerations):
        return ()
    return (RULE.finding(_ONLY_SPOT, path="/spec/tolerations", pools=pools),)


_REACHED = "variables.reached"
_IS_UNTOLERATED = (
    f"{_REACHED}.exists(pool, variables.pool_taints[pool].exists(taint, !{is_tolerated('taint')}))"
)
_USABLE = "variables.tolerations_usable"
_IS_SPOT = "pool in variables.tolerations_spot_pools"


def _spot_pools(settings: Settings) -> list[str]:
    return [pool.name for pool in settings.pools if is_spot(pool)]


def _variables(settings: Settings) -> Variables:
    spot = _spot_pools(settings)
    if not spot:
        return {"tolerations_missing": _missing(_REACHED)}
    return {
        "tolerations_spot_pools": texts(spot),
        "tolerations_spot_labels": lines(spot_labels(settings.pools)),
        "tolerations_opts_in": _opting_in(settings),
        "tolerations_missing": _missing(
            f"{_REACHED}.filter(pool, variables.tolerations_opts_in || !({_IS_SPOT}))"
        ),
        "tolerations_usable": usable_in_cel(_REACHED),
        "tolerations_only_spot": f"size({_USABLE}) > 0 && {_REACHED}.all(pool, {_IS_SPOT})",
    }


def _opting_in(settings: Settings) -> str:
    willing = [name for name, each in settings.namespaces.items() if each.spot]
    annotated = f'object.metadata.?annotations[?{quote(PURCHASE)}].orValue("")'
    return (
        f"{is_in(willing)} || {annotated} == {quote(Purchase.SPOT.value)}"
        " || variables.node_selector.exists(key, key in variables.tolerations_spot_labels"
        " && variables.node_selector[key] == variables.tolerations_spot_labels[key])"
        f" || variables.stated_terms.exists(term, {EXPRESSIONS}.exists(expression,"
        ' expression.operator == "In" && expression.key in variables.tolerations_spot_labels'
        f" && variables.tolerations_spot_labels[expression.key] in {VALUES}))"
    )


def _missing(pools: str) -> str:
    taints = f"{pools}.map(pool, variables.pool_taints[pool]).flatten().distinct()"
    return f"{taints}.filter(taint, !{is_tolerated('taint')})"


def _refusals_in_cel(settings: Settings) -> str:
    if not _spot_pools(settings):
        return ""
    found = _ONLY_SPOT.in_cel(pools=f'{_USABLE}.join(", ")')
    return (
        "!variables.tolerations_only_spot || variables.tolerations_opts_in"
        f" || !{_IS_UNTOLERATED} ? []"
        f" : [{found}]"
    )


def _fixes_in_cel(settings: Settings) -> str:
    if not any(pool.taints for pool in settings.pools):
        return ""
    fields = ("key", "operator", "value", "effect")
    values = ("taint[0]", quote("Equal"), "taint[1]", "taint[2]")
    toleration = object_literal(dict(zip(fields, values, strict=True)))
    added = f"variables.tolerations_missing.map(taint, {toleration})"
    at = quote("/spec/tolerations")
    return (
        "size(variables.tolerations_missing) == 0 ? []"
        f" : {append_in_cel('has(object.spec.tolerations)', at, added)}"
    )


RULE: Rule = Rule(
    RuleName.TOLERATIONS,
    summary="A GPU pod tolerates the taints of the pools that offer what it asks for.",
    severity=Severity.FIX,
    evaluate=evaluate,
    in_cel=InCel(
        refusals=_refusals_in_cel, fixes=_fixes_in_cel, fixes_updates=True, variables=_variables
    ),
)
