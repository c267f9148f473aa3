"""What an instance of MIG has of memory, which is less than its slices are of the GPU's."""

import tomllib
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Any

from gpuplane.workloads.serving.reserve import GIB
from gpus.mig import MigGeometry
from gpus.model import GpuModel
from gpus.pool_facts import AdvertisedResource, PoolFacts

_MIB = 2**20


def profiles_of(facts: PoolFacts, resource: AdvertisedResource) -> Collection[str]:
    """Return the profiles of what a resource is; several where all go by the name of whole GPUs."""
    if resource.mig_profile is not None:
        return (resource.mig_profile,)
    return [name for name, _ in facts.sharing.mig]


def instance_memory(model: GpuModel, profiles: Collection[str]) -> int | None:
    """Return the bytes of the smallest instance of these profiles; None without one."""
    if model.mig is None or not profiles:
        return None
    return min(_memory(model, model.mig, each) for each in profiles)


def _memory(model: GpuModel, geometry: MigGeometry, profile: str) -> int:
    table, slices = _table(), geometry.profile(profile).memory_slices
    known = table["gib"].get(model.name, {}).get(str(slices))
    if known is not None:
        return int(known * GIB)
    whole = model.memory_mib * _MIB * slices // geometry.memory_slices
    return int(whole * table["unknown"])


@cache
def _table() -> dict[str, Any]:
    text = (files(__package__) / "instance_memory.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
