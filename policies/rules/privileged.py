"""GPU pods have no privileges on their node.

A privileged container sees every GPU; the container toolkit treats CAP_SYS_ADMIN as privileged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import elements, members, text
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


AS_PRIVILEGED = ("SYS_ADMIN", "ALL")


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse privileged containers and the capability SYS_ADMIN."""
    for container in pod.containers:
        security = members(container.raw.get("securityContext"))
        if security.get("privileged") is True or "add" in members(security.get("capabilities")):
            return _refusals(pod)
    return ()


def _refusals(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers:
        security = members(container.raw.get("securityContext"))
        if not security:
            continue
        added = elements(members(security.get("capabilities")).get("add"))
        if security.get("privileged") is True:
            yield _refusal(container, "privileged", "is privileged")
        for index, capability in enumerate(added):
            if text(capability).upper().removeprefix("CAP_") in AS_PRIVILEGED:
                field = f"capabilities/add/{index}"
                yield _refusal(container, field, f"adds the capability {capability}")


def _refusal(container: Container, field: str, reason: str) -> Finding:
    return RULE.finding(
        path=f"{container.pointer}/securityContext/{field}",
        culprit=container.culprit,
        message=f"The {container.culprit} {reason}, which gives it every GPU of the node.",
        remedy=f"Remove it from {container.field_path}.securityContext.",
    )


RULE: Rule = Rule(
    RuleName.PRIVILEGED,
    summary="No container of a GPU pod is privileged.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
