"""The machines with GPUs that the requirements of a Karpenter NodePool allow.

https://karpenter.sh/docs/concepts/scheduling/#well-known-labels
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from charts_py.cluster_file.provider import EksProvisioner
from charts_py.providers.eks.machine_labels import machine_labels
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.nodes import INSTANCE_TYPE
from gpuplane.adoption.values import texts
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType
from gpus.model import HOST_ARCHITECTURE
from gpus.provider import Provider
from policies.node_terms import can_meet

_EKS = PROVIDERS[Provider.EKS]
_NAMES = {
    key: stated.strip("{}")
    for key, stated in _EKS.fixed_labels[EksProvisioner.KARPENTER].items()
    if isinstance(stated, str) and key.startswith("karpenter.k8s.aws/instance-")
}
"""The labels of a machine, each with the name of its value."""
KNOWN = frozenset(_NAMES)
"""Further labels of machines that are judged here."""
_NARROWING = frozenset(
    {INSTANCE_TYPE, *(key for key, name in _NAMES.items() if name.startswith(("gpu-", "category")))}
)
"""Labels without a requirement on any of which a NodePool is not for GPUs alone."""


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
    model = catalog.model(machine.gpu)
    own = machine_labels(machine, model, _EKS.gpu_labels)
    named = {key: own[name] for key, name in _NAMES.items() if name in own}
    return named | {INSTANCE_TYPE: machine.name, HOST_ARCHITECTURE: model.host_architecture}


def _is_met(requirement: Mapping[str, Any], attributes: Mapping[str, str]) -> bool:
    """Return whether a machine meets a requirement, or it is on something else."""
    value = attributes.get(str(requirement.get("key")))
    operator, values = str(requirement.get("operator")), texts(requirement, "values")
    return value is None or can_meet(value, operator, values)
