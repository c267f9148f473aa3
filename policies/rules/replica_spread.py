"""Replicas of an inference service prefer different nodes, so that no node takes all of them."""

from collections.abc import Iterable

from policies.cel.patch import object_literal, put_in_cel
from policies.cel.pod import is_in, of_purpose
from policies.cel.text import quote
from policies.document import elements, members, shown, text
from policies.finding import Finding, Severity
from policies.fix import append
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName
from policies.settings import Settings

INFERENCE = "inference"
IDENTITIES = (("app.kubernetes.io/name", "app.kubernetes.io/instance"), ("app",))
"""Labels that name a service, the most specific first
(https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/)."""
PREFERRED = (
    "spec",
    "affinity",
    "podAntiAffinity",
    "preferredDuringSchedulingIgnoredDuringExecution",
)
TOPOLOGY = "kubernetes.io/hostname"
WEIGHT = 100
"""The largest that there is."""
_TOGETHER = Message(
    "The replicas of {service} may all run on one node.",
    "Prefer different nodes in spec.affinity.podAntiAffinity.",
)


def concerns(context: Context) -> bool:
    return context.namespace is not None and context.namespace.purpose == INFERENCE


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    if spreads(pod):
        return ()
    service = _service(pod)
    term = {"labelSelector": {"matchLabels": service}, "topologyKey": TOPOLOGY}
    preference = {"weight": WEIGHT, "podAffinityTerm": term}
    fix = append(pod.document, "", PREFERRED, [preference]) if service else ()
    if not fix:
        return ()
    named = shown(" ".join(service.values()))
    return (RULE.finding(_TOGETHER, path="/spec/affinity", service=named, fix=fix),)


def spreads(pod: Pod) -> bool:
    affinity = members(pod.spec.get("affinity"))
    return bool(
        members(affinity.get("podAntiAffinity"))
        or elements(pod.spec.get("topologySpreadConstraints"))
    )


def _service(pod: Pod) -> dict[str, str]:
    """Return the labels that all replicas share, in the next release too."""
    for keys in IDENTITIES:
        found = {key: text(pod.labels[key]) for key in keys if text(pod.labels.get(key))}
        if len(found) == len(keys):
            return found
    return {}


_SERVICE = "variables.replica_spread_service"
_SPREADS = (
    "size(object.spec.?affinity.?podAntiAffinity.orValue({})) > 0"
    " || size(object.spec.?topologySpreadConstraints.orValue([])) > 0"
)


def _service_in_cel() -> str:
    """Return CEL for a map of the labels that all replicas share; empty where there are none."""
    service = "{}"
    for keys in reversed(IDENTITIES):
        labels = [f"object.metadata.?labels[?{quote(key)}].orValue({quote('')})" for key in keys]
        named = " && ".join(f'{each} != ""' for each in labels)
        found = ", ".join(f"{quote(key)}: {each}" for key, each in zip(keys, labels, strict=True))
        service = f"{named} ? {{{found}}} : {service}"
    return service


def _fixes_in_cel(settings: Settings) -> str:
    selected = f'{{"matchLabels": {_SERVICE}}}'
    term = object_literal({"labelSelector": selected, "topologyKey": quote(TOPOLOGY)})
    preference = object_literal({"weight": str(WEIGHT), "podAffinityTerm": term})
    return (
        f"!({is_in(of_purpose(INFERENCE, settings))}) || {_SPREADS} || size({_SERVICE}) == 0 ? []"
        f" : [{put_in_cel(PREFERRED, f'[{preference}]')}]"
    )


RULE: Rule = Rule(
    RuleName.REPLICA_SPREAD,
    summary="Replicas of one inference service prefer different nodes.",
    severity=Severity.FIX,
    evaluate=evaluate,
    applies=lambda settings: bool(of_purpose(INFERENCE, settings)),
    concerns=concerns,
    in_cel=InCel(
        fixes=_fixes_in_cel, variables=always({"replica_spread_service": _service_in_cel()})
    ),
)
