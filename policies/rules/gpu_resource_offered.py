"""GPU resources that pods ask for are offered by some pool.

A pod that asks for any other stays Pending forever.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from gpus.nearest import nearest
from policies.cel.gpus import CULPRIT, is_asked, of_resources
from policies.cel.placement import OFFERS
from policies.cel.pod import REQUESTS
from policies.cel.text import lines, quote, shown_in_cel
from policies.cel.variables import Variables
from policies.container import Container
from policies.document import pointer, shown
from policies.finding import Finding, Severity
from policies.gpu_names import known_gpu_resources
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings, offered_by

_MIG = re.compile(r"/mig-([0-9]+g)\.")
_ABSENT_RESOURCE = Message("The {culprit} asks for {resource}, which no pool offers.", "{remedy}")


def remedy_for(resource: str, offered: tuple[str, ...]) -> str:
    """Return what to ask for in place of a resource that no pool offers."""
    if not offered:
        return "Add a pool that offers it to the cluster file."
    close = [name for name in offered if _slices(name) == _slices(resource) is not None]
    close = close or list(nearest(resource, offered))
    if close:
        return f"Ask for {close[0]}; offered: {', '.join(offered)}."
    return f"Ask for one that is offered: {', '.join(offered)}."


def _slices(resource: str) -> str | None:
    """Return the compute slices of a MIG resource: its part of the GPU, whatever its memory."""
    matched = _MIG.search(resource)
    return matched.group(1) if matched else None


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse GPU resources that no pool offers, and name the nearest that is offered."""
    offer = context.offer
    absent = [
        (container, resource)
        for container in pod.gpu_containers
        for resource, amount in container.gpus.items()
        if amount != 0 and resource not in offer.by_resource
    ]
    return _refusals(absent, offer.resources) if absent else ()


def _refusals(
    absent: Sequence[tuple[Container, str]], offered: tuple[str, ...]
) -> Iterator[Finding]:
    for container, resource in absent:
        yield RULE.finding(
            _ABSENT_RESOURCE,
            path=f"/resources/limits{pointer(resource)}",
            of=container,
            resource=shown(resource),
            remedy=remedy_for(resource, offered),
        )


_ABSENT = (
    f"{REQUESTS}.filter(resource, {is_asked('container.resources.requests')}"
    f" && !variables.pools.exists(pool, {OFFERS}))"
)


@cache
def _near_remedies(offered: tuple[str, ...]) -> Mapping[str, str]:
    """Return what to ask for in place of known names that are near to one that is offered.

    Comparing all names takes long, and the expressions of a cluster are written several times.
    """
    general = remedy_for("", offered)
    remedies = {name: remedy_for(name, offered) for name in known_gpu_resources()}
    return {name: remedy for name, remedy in remedies.items() if remedy != general}


def _variables(settings: Settings) -> Variables:
    near = _near_remedies(offered_by(settings.pools))
    return {"gpu_resource_offered_remedies": lines(near)} if near else {}


def _refusals_in_cel(settings: Settings) -> str:
    remedy = general = quote(remedy_for("", offered_by(settings.pools)))
    if _variables(settings):
        remedy = f"variables.gpu_resource_offered_remedies[?resource].orValue({general})"
    found = _ABSENT_RESOURCE.in_cel(
        culprit=CULPRIT, resource=shown_in_cel("resource"), remedy=remedy
    )
    return of_resources("variables.gpu_containers", _ABSENT, found, RuleName.GPU_RESOURCE_OFFERED)


RULE: Rule = Rule(
    RuleName.GPU_RESOURCE_OFFERED,
    summary="A pod asks only for GPU resources that some pool offers.",
    severity=Severity.REFUSE,
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel, variables=_variables),
)
