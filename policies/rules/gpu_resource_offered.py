"""GPU resources that pods ask for are offered by some pool.

A pod that asks for any other stays Pending forever.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gpus.nearest import nearest
from policies.document import pointer, shown
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


_MIG = re.compile(r"/mig-([0-9]+g)\.")


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
        yield _refusal(container, resource, offered)


def _refusal(container: Container, resource: str, offered: tuple[str, ...]) -> Finding:
    return RULE.finding(
        path=f"{container.pointer}/resources/limits{pointer(resource)}",
        culprit=container.culprit,
        message=f"The {container.culprit} asks for {shown(resource)}, which no pool offers.",
        remedy=remedy_for(resource, offered),
    )


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


RULE: Rule = Rule(
    RuleName.GPU_RESOURCE_OFFERED,
    summary="A pod asks only for GPU resources that some pool offers.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
