"""Containers with a GPU have a memory limit.

Without one, a leak takes down the node with all its GPUs, and the size of /dev/shm is a guess.
"""

from collections.abc import Iterable

from policies.cel.gpus import CULPRIT
from policies.cel.pod import FIELD_PATH, LIMITS
from policies.container import Container
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_UNLIMITED = Message(
    "The {culprit} asks for a GPU and has no memory limit.", "Set {field}.resources.limits.memory."
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Warn of containers that ask for a GPU where neither they nor the pod have a memory limit."""
    unbounded = [
        container
        for container in pod.containers
        if container.asks_for_gpu and pod.limit_of(container, "memory") is None
    ]
    return map(_warning, unbounded) if unbounded else ()


def _warning(container: Container) -> Finding:
    return RULE.finding(_UNLIMITED, path="/resources/limits", of=container)


def _warnings_in_cel(_settings: Settings) -> str:
    found = _UNLIMITED.in_cel(culprit=CULPRIT, field=FIELD_PATH)
    return (
        "has(object.spec.resources) && has(object.spec.resources.limits)"
        ' && "memory" in object.spec.resources.limits ? []'
        " : variables.gpu_containers.filter(container,"
        f' !("memory" in {LIMITS})).map(container, {found})'
    )


RULE: Rule = Rule(
    RuleName.MEMORY_LIMIT,
    summary="A container that asks for a GPU has a memory limit.",
    severity=Severity.WARN,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    in_cel=InCel(warnings=_warnings_in_cel),
)
