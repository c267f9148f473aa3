"""A pod asks for its GPUs in one way: the device plugin's resource, or a device class.

The device plugin and a DRA driver each count the GPUs of a node as if the other were not there.
https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu

A pod names no class of a resource claim: that stands in the claim or in its template, which nobody
has at admission. Claims are also for what is no GPU, such as the channel of a ComputeDomain, which
a job needs to use NVLink across nodes. So only a class that a container names is judged:
`ResourceDeviceClassPrefix` in https://github.com/kubernetes/api/blob/master/resource/v1/types.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.allocator import DEVICE_CLASS_PREFIX
from policies.document import listed, pointer
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse a pod that asks for GPUs by a resource and by a device class."""
    names = context.offer.names
    plugged = [
        resource
        for resource in pod.gpus
        # Another rule refuses names that no GPU has.
        if resource in names.names and not resource.startswith(DEVICE_CLASS_PREFIX)
    ]
    if not plugged:
        return ()
    return _refusals(pod, names.device_classes, listed(plugged))


def _refusals(pod: Pod, classes: frozenset[str], plugged: str) -> Iterator[Finding]:
    for container in pod.containers:
        for name in container.limits:
            if name.startswith(DEVICE_CLASS_PREFIX) and _class_of(name) in classes:
                yield _refusal(container, name, plugged)


def _class_of(resource: str) -> str:
    return resource.removeprefix(DEVICE_CLASS_PREFIX)


def _refusal(container: Container, name: str, plugged: str) -> Finding:
    return RULE.finding(
        path=f"{container.pointer}/resources/limits{pointer(name)}",
        culprit=container.culprit,
        message=f"The pod asks for {plugged}, and its {container.culprit} for GPUs of "
        f"the device class {_class_of(name)} as well.",
        remedy="Keep either the GPU resource or the device class.",
    )


RULE: Rule = Rule(
    RuleName.DEVICE_CLAIM,
    summary="A pod asks for GPUs by a resource or by a device class, not by both.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
