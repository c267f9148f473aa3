"""Containers with a GPU have a memory limit.

Without one, a leak takes down the node with all its GPUs, and the size of /dev/shm is a guess.
"""

from collections.abc import Iterable

from policies.cel.pod import LIMITS
from policies.container import Container
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

_UNLIMITED = Message(
    "The {culprit} asks for a GPU and has no memory limit.", "Set {field}.resources.limits.memory."
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    unbounded = [
        container
        for container in pod.containers
        if container.asks_for_gpu
        and container.limits.get("memory") is None
        and pod.limit_of(container, "memory") is None
    ]
    return map(_warning, unbounded) if unbounded else ()


def _warning(container: Container) -> Finding:
    return RULE.finding(_UNLIMITED, path="/resources/limits", of=container)


_WARNED = (
    "has(object.spec.resources) && has(object.spec.resources.limits)"
    ' && "memory" in object.spec.resources.limits ? []'
    f' : variables.gpu_containers.filter(container, !("memory" in {LIMITS}))'
    f".map(container, {_UNLIMITED.in_cel()})"
)

RULE: Rule = Rule(
    RuleName.MEMORY_LIMIT,
    summary="A container that asks for a GPU has a memory limit.",
    severity=Severity.WARN,
    evaluate=evaluate,
    in_cel=InCel(warnings=always(_WARNED)),
)
