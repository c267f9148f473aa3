"""What Karpenter labels a node with, of the machine that it is.

`computeRequirements` in https://github.com/aws/karpenter-provider-aws
(pkg/providers/instancetype/types.go).
"""

import re
from collections.abc import Mapping

from gpus.instance_type import InstanceType, family_of
from gpus.model import GpuModel

_FAMILY = re.compile("([a-z]+)([0-9]+)")


def machine_labels(
    machine: InstanceType, model: GpuModel, gpus: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    """Return the values by their names in the table of labels; `gpus` are those of EC2's GPUs."""
    category, generation = _FAMILY.findall(family_of(machine.name))[0]
    known = {
        "gpu-family": family_of(machine.name),
        "category": category,
        "generation": generation,
        "size": machine.name.partition(".")[2],
        "cpu": str(machine.cpu),
        "memory": str(int(machine.memory_gib * 2**10)),
        "gpu-count": str(machine.gpus),
    }
    if (named := gpus.get(machine.gpu)) is not None:
        known["gpu-name"], known["gpu-memory"] = named
        known["gpu-manufacturer"] = model.vendor
    return known
