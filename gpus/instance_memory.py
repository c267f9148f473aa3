"""The memory that pods have of a GPU: an instance of MIG has less than its slices are of it."""

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

from gpus.mig import MigGeometry
from gpus.model import GpuModel
from gpus.pool_facts import AdvertisedResource, PoolFacts

_MIB, _GIB = 2**20, 2**30


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    unknown: float
    gib: Mapping[str, Mapping[str, float]]
    """By model and by memory slices."""


def device_memory(facts: PoolFacts, resource: AdvertisedResource) -> int:
    """Return the bytes of a GPU, or of the slice or share of one, that belong to an allocation.

    Pods that take turns all see the whole, which each has a part of.
    """
    instance = instance_memory(facts.model, _profiles(facts, resource))
    memory = resource.memory_mib * _MIB if instance is None else instance
    return memory // facts.sharing.time_slicing


def instance_memory(model: GpuModel, profiles: Collection[str]) -> int | None:
    """Return the bytes of the smallest instance of these profiles; None without one."""
    if model.mig is None or not profiles:
        return None
    return min(_memory(model, model.mig, each) for each in profiles)


def _profiles(facts: PoolFacts, resource: AdvertisedResource) -> Collection[str]:
    """Return the profiles of what a resource is; several where all go by the name of whole GPUs."""
    if resource.mig_profile is not None:
        return (resource.mig_profile,)
    return [name for name, _ in facts.sharing.mig]


def _memory(model: GpuModel, geometry: MigGeometry, profile: str) -> int:
    slices = geometry.profile(profile).memory_slices
    known = _table().gib.get(model.name, {}).get(str(slices))
    if known is not None:
        return int(known * _GIB)
    whole = model.memory_mib * _MIB * slices // geometry.memory_slices
    return int(whole * _table().unknown)


@cache
def _table() -> _Table:
    text = (files(__package__) / "instance_memory.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), _Table)
