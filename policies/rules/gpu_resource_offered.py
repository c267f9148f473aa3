"""GPU resources that pods ask for are offered by some pool whose nodes they select.

Any other pod stays Pending forever.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from gpus.nearest import nearest
from policies.cel.gpus import is_asked, of_resources
from policies.cel.placement import OFFERS, PASSING, usable_in_cel
from policies.cel.pod import REQUESTS
from policies.cel.text import lines, quote
from policies.cel.variables import Variables
from policies.container import Container
from policies.document import pointer, shown
from policies.finding import Finding, Severity
from policies.gpu_names import known_gpu_resources
from policies.node_terms import names_any
from policies.pod import Pod
from policies.reach import offers_all, usable
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings, offered_by
from policies.unmet_label import (
    is_unmet,
    unmet_label,
    unmet_parts,
    unmet_variables,
    unselected,
    unselected_variables,
)

_MIG = re.compile(r"/mig-([0-9]+g)\.")
_LATER = Message(
    "The pod selects nodes {required}, and no pool where it can run has any now.",
    "{key} {there}. Correct it in {field}, unless somebody is to change it.",
)
_OFFERED = "; offered: "
_ABSENT_RESOURCE = Message("The {culprit} asks for {resource}, which no pool offers.", "{remedy}")


def remedy_for(resource: str, offered: Sequence[str], every: tuple[str, ...]) -> str:
    """Return what to ask for in place of a resource that no pool offers.

    It is one of those that are offered here; `every` are those of the whole cluster.
    """
    if not offered:
        return "Add a pool that offers it to the cluster file."
    close = [name for name in _near(resource, every) if name in offered]
    asked = close[0] if close else "one that is offered"
    return f"Ask for {asked}{_OFFERED if close else ': '}{', '.join(offered)}."


def _near(resource: str, every: tuple[str, ...]) -> list[str]:
    close = [name for name in every if _slices(name) == _slices(resource) is not None]
    return close or list(nearest(resource, every))


def _slices(resource: str) -> str | None:
    """Return the compute slices of a MIG resource: its part of the GPU, whatever its memory."""
    matched = _MIG.search(resource)
    return matched.group(1) if matched else None


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse GPU resources that no pool offers, and name the nearest that is offered.

    Refuse what selects no nodes of the pools that offer them, where no pools of the namespace are
    stated; warn of a label that they have with another value, which somebody may change.
    """
    offer = context.offer
    absent = [
        (container, resource)
        for container in pod.gpu_containers
        for resource, amount in container.gpus.items()
        if amount != 0 and resource not in offer.by_resource
    ]
    if absent:
        return _refusals(absent, offer.offered_to(context.namespace), offer.resources)
    return _selection(pod, context) if pod.node_selector or pod.node_terms else ()


def _selection(pod: Pod, context: Context) -> Iterable[Finding]:
    granted = None if context.namespace is None else context.namespace.pools
    reached = context.reach(pod).pools
    if reached:
        passing = context.offer.passing_labels
        if pod.node_selector.keys().isdisjoint(passing) and not names_any(pod.node_terms, passing):
            return ()
        own = [pool.passing_labels for pool in usable(reached, context.namespace)]
        later = unmet_label(pod, own) if own else None
        return () if later is None else (later.finding(RULE, _LATER, severity=Severity.WARN),)
    able = [pool for pool in context.offer.pools if offers_all(pool, pod.gpus)]
    if granted is not None or not able or not pod.gpus:
        return ()
    return (unselected(RULE, pod, able, context.offer, "pods"),)


def _refusals(
    absent: Sequence[tuple[Container, str]], offered: tuple[str, ...], every: tuple[str, ...]
) -> Iterator[Finding]:
    for container, resource in absent:
        yield RULE.finding(
            _ABSENT_RESOURCE,
            path=f"/resources/limits{pointer(resource)}",
            of=container,
            resource=shown(resource),
            remedy=remedy_for(resource, offered, every),
        )


_PREFIX = "gpu_resource_offered"
_UNSELECTED = f"variables.{_PREFIX}_unselected"
_LATER_PREFIX = f"{_PREFIX}_later"
_IS_STATED = "request.namespace in variables.pools_by_namespace"
_ABLE = "variables.gpu_resource_offered_able"
_ABSENT = (
    f"{REQUESTS}.filter(resource, {is_asked('container.resources.requests')}"
    f" && !variables.pools.exists(pool, {OFFERS}))"
)


@cache
def _near_to(every: tuple[str, ...]) -> Mapping[str, list[str]]:
    """Return what is offered of names that are near to known ones.

    Comparing all names takes long, and the expressions of a cluster are written several times.
    """
    near = {name: _near(name, every) for name in known_gpu_resources()}
    return {name: found for name, found in near.items() if found}


def _variables(settings: Settings) -> Variables:
    able = f"variables.pools.filter(pool, variables.wanted.all(resource, {OFFERS}))"
    return {
        f"{_PREFIX}_near": lines(_near_to(offered_by(settings.pools))),
        "gpu_resource_offered_able": able,
        **unselected_variables(_PREFIX, _ABLE, quote("pods")),
        f"{_LATER_PREFIX}_pools": usable_in_cel("variables.reached"),
        **unmet_variables(_LATER_PREFIX, f"variables.{_LATER_PREFIX}_pools", PASSING),
    }


def _remedy_in_cel() -> str:
    offered, near = "variables.offered_here", f"variables.{_PREFIX}_near"
    every = f"{offered}.join({quote(', ')}) + {quote('.')}"
    general = f"{quote('Ask for one that is offered: ')} + {every}"
    close = f"{near}[?resource].orValue([]).filter(name, name in {offered})"
    named = f"{quote('Ask for ')} + close[0] + {quote(_OFFERED)} + {every}"
    found = f"[{close}].map(close, size(close) > 0 ? {named} : {general})[0]"
    return f"(size({offered}) == 0 ? {quote(remedy_for('', (), ()))} : {found})"


def _refusals_in_cel(_: Settings) -> str:
    found = _ABSENT_RESOURCE.in_cel(remedy=_remedy_in_cel())
    absent = of_resources("variables.gpu_containers", _ABSENT, found, RuleName.GPU_RESOURCE_OFFERED)
    elsewhere = (
        "size(variables.wanted) == 0 || variables.unoffered || size(variables.reached) > 0"
        f" || size({_ABLE}) == 0 || {_IS_STATED} ? [] : [{_UNSELECTED}]"
    )
    return f"({absent}) + ({elsewhere})"


def _warnings_in_cel(settings: Settings) -> str:
    if not any(pool.passing_labels for pool in settings.pools):
        return ""
    later = _LATER.in_cel(**unmet_parts(_LATER_PREFIX))
    return (
        f"size(variables.{_LATER_PREFIX}_pools) > 0 && {is_unmet(_LATER_PREFIX)} ? [{later}] : []"
    )


RULE: Rule = Rule(
    RuleName.GPU_RESOURCE_OFFERED,
    summary="A pod asks only for GPU resources that some pool offers whose nodes it selects.",
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel, warnings=_warnings_in_cel, variables=_variables),
)
