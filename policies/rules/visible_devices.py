"""Containers see the GPUs that they ask for, and no others.

The NVIDIA container toolkit gives a container the GPUs that NVIDIA_VISIBLE_DEVICES names, and many
images set it to `all`. `void` gives none.
https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.container import ContainerKind
from policies.finding import Severity
from policies.fix import append
from policies.nvidia_resource import is_of_nvidia
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from policies.container import Container
    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.pod import Pod


VARIABLE = "NVIDIA_VISIBLE_DEVICES"
VOID = "void"
_CLOSED = (VOID, "none", "")
"""Values that give no GPU."""


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Set `void` in the containers of a GPU pod that ask for no GPU; refuse other values.

    An entry in `env` overrides any from `envFrom`, whose contents are not known here.
    """
    on_gpu_node = pod.has_claims or _asks_for_nvidia(pod)
    if VARIABLE in pod.variables or (on_gpu_node and _has_beside(pod)):
        return _wrong(pod, on_gpu_node)
    return ()


def _has_beside(pod: Pod) -> bool:
    for container in pod.containers:  # noqa: SIM110 # a generator costs as much as its work
        if not container.asks_for_gpu:
            return True
    return False


def _asks_for_nvidia(pod: Pod) -> bool:
    for name in pod.gpus:  # noqa: SIM110 # a generator costs as much as its work
        if is_of_nvidia(name):
            return True
    return False


def _wrong(pod: Pod, on_gpu_node: bool) -> Iterator[Finding]:
    for container in pod.containers:
        entries = container.variables(VARIABLE)
        opened = [index for index, entry in entries if not _closes(container, entry)]
        if opened:
            yield _set_by_hand(container, opened[0])
        elif on_gpu_node and not entries and _needs_void(container):
            yield from _void(container)


def _closes(container: Container, entry: Mapping[str, Json]) -> bool:
    closed = entry.get("valueFrom") is None and entry.get("value", "") in _CLOSED
    return closed and not container.asks_for_gpu


def _needs_void(container: Container) -> bool:
    return container.kind is not ContainerKind.EPHEMERAL and not container.asks_for_gpu


def _set_by_hand(container: Container, index: int) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path=f"{container.pointer}/env/{index}",
        culprit=container.culprit,
        message=f"The {container.culprit} sets {VARIABLE} by hand, which takes GPUs that the "
        "scheduler did not give it.",
        remedy=f"Remove {container.field_path}.env[{index}] and ask for a GPU resource.",
    )


def _void(container: Container) -> Iterator[Finding]:
    variable = {"name": VARIABLE, "value": VOID}
    fix = append(container.raw, container.pointer, ("env",), [variable])
    if fix:
        yield RULE.finding(
            path=f"{container.pointer}/env",
            culprit=container.culprit,
            message=f"The {container.culprit} asks for no GPU, but would see every GPU of its "
            f"node if its image sets {VARIABLE}.",
            remedy=f"Set {VARIABLE} to {VOID}.",
            fix=fix,
        )


RULE: Rule = Rule(
    RuleName.VISIBLE_DEVICES,
    summary="A container that asks for no GPU sees none, and no container names its GPUs by hand.",
    severity=Severity.FIX,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    refuses_unfixed=True,
)
