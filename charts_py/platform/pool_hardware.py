"""The hardware of a pool's nodes, from their instance type or as the file states it."""

from collections.abc import Iterable, Iterator, Sequence

from charts_py.platform.hardware import NodeHardware
from charts_py.platform.nearest_models import nearest_models
from charts_py.platform.provider_facts import ProviderFacts
from charts_py.spec.fault import FieldPath, Problem
from charts_py.spec.pool import Pool
from charts_py.spec.quantity import bytes_of
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType
from gpus.interconnect import Interconnect
from gpus.nearest import MAX_SUGGESTIONS, nearest
from gpus.provider import Provider
from gpus.unsupported import unsupported_instance_type, unsupported_model

STATED = ("gpu", "gpus", "cpu", "memory")
"""Fields of a pool that state its hardware where no table lists it."""


class HardwareError(Exception):
    """Why the hardware of a pool is unknown."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("; ".join(problem.what for problem in problems))


def resolve_hardware(name: str, pool: Pool, facts: ProviderFacts, catalog: Catalog) -> NodeHardware:
    """Return the hardware of a pool's nodes; `catalog` has what the cluster file describes, too.

    Raises HardwareError where it is unknown or stated twice.
    """
    path, provider = ("pools", name), facts.name
    if not facts.makes_nodes:
        if pool.instance_type is not None:
            what = f"{provider} has no instance types"
            raise HardwareError(Problem((*path, "instanceType"), what, _of_one_node(STATED)))
        return _stated(path, pool, catalog)
    if pool.instance_type is None:
        raise HardwareError(_no_instance_type(path, pool, provider, catalog))
    instance_type = catalog.instance_types[provider].get(pool.instance_type)
    if instance_type is not None:
        return _known(path, pool, instance_type, catalog)
    if pool.gpu is not None:
        return _stated(path, pool, catalog)
    raise HardwareError(_unknown_instance_type(path, pool.instance_type, provider, catalog))


def _known(
    path: FieldPath, pool: Pool, instance_type: InstanceType, catalog: Catalog
) -> NodeHardware:
    repeated = [field for field in STATED if getattr(pool, field) is not None]
    if repeated:
        what = f"it is defined by the instance type {instance_type.name}"
        raise HardwareError(*(Problem((*path, field), what, "nothing") for field in repeated))
    return _of_instance_type(instance_type, pool, catalog)


def _of_instance_type(instance_type: InstanceType, pool: Pool, catalog: Catalog) -> NodeHardware:
    fastest = instance_type.rdma or Interconnect.ETHERNET
    interconnect = pool.interconnect or fastest
    return NodeHardware(
        model=catalog.model(instance_type.gpu),
        gpus=instance_type.gpus,
        cpu=instance_type.cpu,
        memory=int(instance_type.memory_gib * 2**30),
        interconnect=interconnect,
        interconnect_interfaces=instance_type.rdma_interfaces if interconnect is fastest else 0,
        local_nvme_gib=instance_type.local_nvme_gib,
        machine=instance_type,
    )


def _stated(path: FieldPath, pool: Pool, catalog: Catalog) -> NodeHardware:
    model = catalog.models.get(pool.gpu or "")
    if model is None or pool.gpus is None or pool.cpu is None or pool.memory is None:
        raise HardwareError(*_unstated(path, pool, catalog))
    return NodeHardware(
        model=model,
        gpus=pool.gpus,
        cpu=pool.cpu,
        memory=bytes_of(pool.memory),
        interconnect=pool.interconnect or Interconnect.ETHERNET,
    )


def unknown_model(path: FieldPath, name: str, catalog: Catalog) -> Problem:
    """Return the problem of a GPU model that is neither listed nor described."""
    if (other := unsupported_model(name)) is not None:
        allowed = "a GPU model that `gpuplane hardware` lists"
        return Problem(path, f'"{name}" names no GPU, but {other}', allowed)
    allowed = "a model that `gpuplane hardware` lists, or hardware.models describes"
    return Problem(path, f'unknown GPU model "{name}"', allowed, nearest_models(name, catalog))


def _unstated(path: FieldPath, pool: Pool, catalog: Catalog) -> Iterator[Problem]:
    if pool.gpu is not None and pool.gpu not in catalog.models:
        yield unknown_model((*path, "gpu"), pool.gpu, catalog)
    for field in STATED:
        if getattr(pool, field) is None:
            yield Problem((*path, field), "missing", _of_one_node((field,)))


def _of_one_node(fields: Sequence[str]) -> str:
    *others, last = fields
    return f"{', '.join(others)} and {last} of one node" if others else f"{last} of one node"


def _no_instance_type(path: FieldPath, pool: Pool, provider: Provider, catalog: Catalog) -> Problem:
    near = _alike(pool.gpu, pool.gpus, provider, catalog)
    return Problem((*path, "instanceType"), "missing", f"an instance type of {provider}", near)


def _unknown_instance_type(
    path: FieldPath, name: str, provider: Provider, catalog: Catalog
) -> Problem:
    path = (*path, "instanceType")
    for other, offered in catalog.instance_types.items():
        if elsewhere := offered.get(name):
            what = f'"{name}" is an instance type of {other}; the provider is {provider}'
            near = _alike(elsewhere.gpu, elsewhere.gpus, provider, catalog)
            return Problem(path, what, f"an instance type of {provider}", near)
    if name in catalog.models:
        offered = catalog.instance_types[provider].values()
        near = tuple(offer.name for offer in offered if offer.gpu == name)
        what = f'"{name}" is a GPU model'
        return Problem(path, what, f"an instance type of {provider}", near)
    if (other := unsupported_instance_type(name)) is not None:
        what = f'"{name}" has {other}'
        allowed = f"an instance type with GPUs, as `gpuplane hardware {provider}` lists"
        return Problem(path, what, allowed)
    what = f'unknown {provider} instance type "{name}"'
    allowed = f"one that `gpuplane hardware {provider}` lists, or hardware.instanceTypes describes"
    offered = catalog.instance_types[provider]
    near = _of_family(name, offered) or nearest(name, offered)
    return Problem(path, what, allowed, near)


def _of_family(name: str, offered: Iterable[str]) -> tuple[str, ...]:
    """Return the instance types of a family, such as `p5`, where a name is no more than that."""
    begins = tuple(f"{name.lower()}{sign}" for sign in ".-_")
    return tuple(each for each in offered if each.lower().startswith(begins))[:MAX_SUGGESTIONS]


def _alike(
    gpu: str | None, gpus: int | None, provider: Provider, catalog: Catalog
) -> tuple[str, ...]:
    """Return the provider's instance types with this number of GPUs of a model."""
    offered = catalog.instance_types[provider].values()
    return tuple(offer.name for offer in offered if (offer.gpu, offer.gpus) == (gpu, gpus))
