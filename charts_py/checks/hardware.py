"""Whether all hardware is described, and that of every pool stated, once and by known names."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.unknown_hardware import instance_type_name_problems
from gpus.instance_type import Interconnect


def check_hardware(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong with described hardware, and why that of a pool is unknown."""
    yield from draft.described_problems
    for pool in draft.pools:
        yield from pool.hardware_problems
        yield from _network(draft, pool)
        yield from _name(draft, pool)


def _network(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem for an RDMA network of a described instance type that the provider lacks."""
    machine = pool.hardware.machine if pool.hardware else None
    networks = [one for one in draft.provider.interconnects if one is not Interconnect.ETHERNET]
    if machine and machine.rdma not in (None, *networks):
        path = ("hardware", "instanceTypes", machine.provider.value, machine.name, "interconnect")
        yield Problem(path, f'{machine.provider} has no "{machine.rdma}"', ", ".join(networks))


def _name(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield why the instance type of a pool that states its hardware cannot have its name."""
    name, hardware = pool.spec.instance_type, pool.hardware
    if name is not None and hardware is not None and hardware.machine is None:
        path = (*pool.path, "instanceType")
        yield from instance_type_name_problems(path, draft.provider.name, name, draft.catalog)
