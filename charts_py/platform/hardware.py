"""The hardware of one node of a pool, from its instance type or as the file states it."""

from dataclasses import dataclass

from charts_py.spec.fault import FieldPath, Problem
from charts_py.spec.pool import Interconnect, Pool
from charts_py.spec.provider import Provider
from charts_py.spec.quantity import bytes_of
from gpus.catalog import Catalog, UnknownHardware
from gpus.instance_type import InstanceType
from gpus.model import GpuModel

_STATED = ("gpu", "gpus", "cpu", "memory")
_MANY = 12


@dataclass(frozen=True, slots=True)
class NodeHardware:
    """One node."""

    model: GpuModel
    gpus: int
    cpu: int
    memory: int
    """Bytes."""
    interconnect: Interconnect
    interconnect_interfaces: int = 0
    """RDMA interfaces, such as EFA devices."""
    local_nvme_gib: int = 0


class HardwareError(Exception):
    """Why the hardware of a pool cannot be told."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("; ".join(problem.what for problem in problems))


def resolve_hardware(name: str, pool: Pool, provider: Provider, catalog: Catalog) -> NodeHardware:
    """Return the hardware of a pool's nodes; raise HardwareError where it is not told, or twice."""
    path = ("pools", name)
    if pool.instance_type is None:
        return _stated(path, pool, provider, catalog)
    try:
        instance_type = catalog.instance_type(provider.value, pool.instance_type)
    except UnknownHardware as error:
        if pool.gpu is not None and provider is not Provider.ONPREM:
            return _stated(path, pool, provider, catalog)
        raise HardwareError(_unknown((*path, "instanceType"), error)) from error
    repeated = [field for field in _STATED if getattr(pool, field) is not None]
    if repeated:
        raise HardwareError(
            *(
                Problem((*path, field), f"{instance_type.name} already says it")
                for field in repeated
            )
        )
    return _of_instance_type(instance_type, pool, catalog)


def _of_instance_type(instance_type: InstanceType, pool: Pool, catalog: Catalog) -> NodeHardware:
    fastest = Interconnect(instance_type.rdma or Interconnect.ETHERNET)
    interconnect = pool.interconnect or fastest
    return NodeHardware(
        model=catalog.model(instance_type.gpu),
        gpus=instance_type.gpus,
        cpu=instance_type.cpu,
        memory=int(instance_type.memory_gib * 2**30),
        interconnect=interconnect,
        interconnect_interfaces=instance_type.rdma_interfaces if interconnect is fastest else 0,
        local_nvme_gib=instance_type.local_nvme_gib,
    )


def _stated(path: FieldPath, pool: Pool, provider: Provider, catalog: Catalog) -> NodeHardware:
    if pool.gpu is None or pool.gpus is None or pool.cpu is None or pool.memory is None:
        raise HardwareError(*_missing(path, pool, provider))
    try:
        model = catalog.model(pool.gpu)
    except UnknownHardware as error:
        raise HardwareError(_unknown((*path, "gpu"), error)) from error
    return NodeHardware(
        model=model,
        gpus=pool.gpus,
        cpu=pool.cpu,
        memory=bytes_of(pool.memory),
        interconnect=pool.interconnect or Interconnect.ETHERNET,
    )


def _missing(path: FieldPath, pool: Pool, provider: Provider) -> list[Problem]:
    if provider is not Provider.ONPREM and pool.gpu is None:
        return [Problem((*path, "instanceType"), "missing", "an instance type, or a GPU model")]
    return [
        Problem((*path, field), "missing", f"{field} of one node")
        for field in _STATED
        if getattr(pool, field) is None
    ]


def _unknown(path: FieldPath, error: UnknownHardware) -> Problem:
    allowed = ", ".join(error.allowed)
    if len(error.allowed) > _MANY:
        allowed = f"one of {len(error.allowed)} that `gpuplane hardware` lists"
    return Problem(path, f'unknown {error.kind} "{error.name}"', allowed, error.nearest)
