from typing import Any

import pytest

from charts_py.cluster_file.pool import NodeRange, Pool, Purpose
from charts_py.platform.pool_hardware import HardwareError, resolve_hardware
from charts_py.platform.provider_facts import NodeHardware
from charts_py.providers.registry import PROVIDERS
from gpus.catalog import load_catalog
from gpus.instance_type import Interconnect
from gpus.provider import Provider

CATALOG = load_catalog()


def resolved(provider: Provider, **fields: Any) -> NodeHardware:
    pool = Pool(purpose=Purpose.TRAINING, nodes=NodeRange(max=1), **fields)
    return resolve_hardware("pool", pool, PROVIDERS[provider], CATALOG)


def test_an_instance_type_defines_the_hardware() -> None:
    assert resolved(Provider.EKS, instanceType="p5.48xlarge") == NodeHardware(
        model=CATALOG.model("H100-SXM"),
        gpus=8,
        cpu=192,
        memory=2048 * 2**30,
        interconnect=Interconnect.EFA,
        interconnect_interfaces=32,
        local_nvme_gib=CATALOG.instance_type(Provider.EKS, "p5.48xlarge").local_nvme_gib,
        machine=CATALOG.instance_type(Provider.EKS, "p5.48xlarge"),
    )


def test_a_pool_that_does_without_rdma_has_no_interfaces_for_it() -> None:
    hardware = resolved(
        Provider.EKS, instanceType="p5.48xlarge", interconnect=Interconnect.ETHERNET
    )
    assert (hardware.interconnect, hardware.interconnect_interfaces) == (Interconnect.ETHERNET, 0)


def test_without_rdma_a_larger_instance_type_may_have_another_network() -> None:
    types = ("g6e.12xlarge", "g6e.24xlarge")
    hardware = resolved(
        Provider.EKS,
        instanceType=types[0],
        instanceTypes=types[1:],
        interconnect=Interconnect.ETHERNET,
    )
    assert hardware.larger == (CATALOG.instance_type(Provider.EKS, types[1]),)


@pytest.mark.parametrize(
    ("provider", "instance_type"), [(Provider.ONPREM, None), (Provider.EKS, "p9.48xlarge")]
)
def test_what_no_table_has_is_as_the_file_states_it(
    provider: Provider, instance_type: str | None
) -> None:
    hardware = resolved(
        provider, instanceType=instance_type, gpu="H200-SXM", gpus=4, cpu=96, memory="1Ti"
    )
    assert hardware == NodeHardware(
        model=CATALOG.model("H200-SXM"),
        gpus=4,
        cpu=96,
        memory=2**40,
        interconnect=Interconnect.ETHERNET,
    )


def test_an_error_names_everything_that_is_missing() -> None:
    with pytest.raises(HardwareError, match=r"^missing; missing$") as caught:
        resolved(Provider.ONPREM, gpu="H200-SXM", gpus=4)
    assert [problem.path[-1] for problem in caught.value.problems] == ["cpu", "memory"]
