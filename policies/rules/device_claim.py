"""A pod asks for its GPUs in one way: the device plugin's resource, or a device class.

The device plugin and a DRA driver each count the GPUs of a node as if the other were not there.
https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu

A pod names no class of a resource claim: that stands in the claim or in its template, which nobody
has at admission. Claims are also for what is no GPU, such as the channel of a ComputeDomain, which
a job needs to use NVLink across nodes. So only a class that a container names is judged:
`ResourceDeviceClassPrefix` in https://github.com/kubernetes/api/blob/master/resource/v1/types.go
"""

from collections.abc import Iterable, Iterator

from gpus.allocator import DEVICE_CLASS_PREFIX, device_class_resource
from policies.cel.gpus import of_resources
from policies.cel.pod import LIMITS
from policies.cel.text import listed_in_cel, texts
from policies.cel.variables import Variables
from policies.document import listed, pointer
from policies.finding import Finding
from policies.gpu_names import GpuNames
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName
from policies.settings import Settings

_BOTH = Message(
    "The pod asks for {plugged}, and its {culprit} for GPUs of the device class {named} as well.",
    "Keep either the GPU resource or the device class.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
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
                yield RULE.finding(
                    _BOTH,
                    path=f"/resources/limits{pointer(name)}",
                    of=container,
                    plugged=plugged,
                    named=_class_of(name),
                )


def _class_of(resource: str) -> str:
    return resource.removeprefix(DEVICE_CLASS_PREFIX)


_BY_CLASS = f"{LIMITS}.filter(resource, resource in variables.device_claim_classes)"
_FOUND = _BOTH.in_cel(
    plugged=listed_in_cel("variables.device_claim_plugged"),
    named=f"resource.substring({len(DEVICE_CLASS_PREFIX)})",
)
_REFUSED = (
    "size(variables.device_claim_plugged) == 0 ? []"
    f" : {of_resources('variables.containers', _BY_CLASS, _FOUND, RuleName.DEVICE_CLAIM)}"
)


def _variables(_settings: Settings) -> Variables:
    classes = map(device_class_resource, GpuNames(()).device_classes)
    return {
        "device_claim_classes": texts(classes),
        "device_claim_plugged": "variables.wanted.filter(resource,"
        f' !resource.startsWith("{DEVICE_CLASS_PREFIX}"))',
    }


RULE: Rule = Rule(
    RuleName.DEVICE_CLAIM,
    summary="A pod asks for GPUs by a resource or by a device class, not by both.",
    evaluate=evaluate,
    in_cel=InCel(refusals=always(_REFUSED), variables=_variables),
)
