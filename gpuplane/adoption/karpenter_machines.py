"""The machines with GPUs that the requirements of a Karpenter NodePool allow.

https://karpenter.sh/docs/concepts/scheduling/#well-known-labels and, for the labels of a machine,
`computeRequirements` of https://github.com/aws/karpenter-provider-aws
(pkg/providers/instancetype/types.go).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from gpuplane.adoption.nodes import INSTANCE_TYPE
from gpuplane.adoption.values import texts, whole_number
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType, family_of
from gpus.model import HOST_ARCHITECTURE
from gpus.provider import Provider

_PREFIX = "karpenter.k8s.aws/instance-"
_FAMILY = re.compile("([a-z]+)([0-9]+)")
_NARROWING = frozenset(
    {INSTANCE_TYPE}
    | {f"{_PREFIX}{one}" for one in ("family", "category")}
    | {f"{_PREFIX}gpu-{one}" for one in ("name", "manufacturer", "count", "memory")}
)
"""Labels without a requirement on any of which a NodePool is not for GPUs alone."""
KNOWN = frozenset(
    {f"{_PREFIX}{one}" for one in ("family", "category", "generation", "size", "cpu", "memory")}
    | {f"{_PREFIX}gpu-{one}" for one in ("name", "manufacturer", "count")}
)
"""Further labels of machines that are judged here."""


def gpu_machines(
    requirements: Iterable[Mapping[str, Any]], catalog: Catalog
) -> dict[tuple[str, int], tuple[InstanceType, ...]]:
    """Return what is allowed, the smallest first, by GPU model and number of GPUs."""
    stated = tuple(requirements)
    by_gpus: dict[tuple[str, int], list[InstanceType]] = defaultdict(list)
    if any(str(one.get("key")) in _NARROWING for one in stated):
        for machine in catalog.instance_types[Provider.EKS].values():
            attributes = _attributes(machine, catalog)
            if all(_is_met(one, attributes) for one in stated):
                by_gpus[machine.gpu, machine.gpus].append(machine)
    return {gpus: tuple(sorted(found, key=size_of)) for gpus, found in by_gpus.items()}


def size_of(machine: InstanceType) -> tuple[float, float]:
    return machine.cpu, machine.memory_gib


def _attributes(machine: InstanceType, catalog: Catalog) -> dict[str, str]:
    family, _, size = machine.name.partition(".")
    model, matched = catalog.model(machine.gpu), _FAMILY.match(family_of(machine.name))
    own = {
        "family": family,
        "category": matched[1] if matched else "",
        "generation": matched[2] if matched else "",
        "size": size,
        "cpu": str(machine.cpu),
        "memory": str(int(machine.memory_gib * 2**10)),
        "gpu-name": model.family,
        "gpu-manufacturer": model.vendor,
        "gpu-count": str(machine.gpus),
    }
    named = {f"{_PREFIX}{key}": value for key, value in own.items()}
    return named | {INSTANCE_TYPE: machine.name, HOST_ARCHITECTURE: model.host_architecture}


def _is_met(requirement: Mapping[str, Any], attributes: Mapping[str, str]) -> bool:
    """Return whether a machine meets a requirement, or it is on something else."""
    value, wanted = attributes.get(str(requirement.get("key"))), texts(requirement, "values")
    if value is None:
        return True
    bound = whole_number(wanted[0]) if wanted else None
    match requirement.get("operator"):
        case "In":
            return value in wanted
        case "NotIn":
            return value not in wanted
        case "DoesNotExist":
            return False
        case "Gt":
            return bound is None or int(value) > bound
        case "Lt":
            return bound is None or int(value) < bound
    return True
