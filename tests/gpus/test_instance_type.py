from gpus.catalog import load_catalog
from gpus.instance_type import InstanceType
from gpus.interconnect import Interconnect
from gpus.provider import Provider

CATALOG = load_catalog()
ROWS = [row for offered in CATALOG.instance_types.values() for row in offered.values()]
RDMA = {
    Provider.EKS: {None, Interconnect.EFA},
    Provider.GKE: {
        None,
        Interconnect.GPUDIRECT_TCPX,
        Interconnect.GPUDIRECT_TCPXO,
        Interconnect.ROCE,
    },
    Provider.AKS: {None, Interconnect.INFINIBAND},
}


def test_an_instance_type_carries_a_model_that_the_catalog_knows() -> None:
    assert {row.name: CATALOG.model(row.gpu).name for row in ROWS} == {
        row.name: row.gpu for row in ROWS
    }


def test_counts_and_sizes_are_positive() -> None:
    assert [r for r in ROWS if min(r.gpus, r.cpu, r.memory_gib, r.network_gbps) <= 0] == []
    assert [row for row in ROWS if row.local_nvme_gib < 0] == []


def test_rdma_is_the_provider_s_and_has_interfaces() -> None:
    assert [row for row in ROWS if row.rdma not in RDMA[row.provider]] == []
    assert [row for row in ROWS if (row.rdma is None) != (row.rdma_interfaces == 0)] == []


def test_no_name_is_offered_by_two_providers() -> None:
    names = [row.name for row in ROWS]
    assert len(names) == len(set(names))


def test_the_machines_for_training_are_these() -> None:
    assert CATALOG.instance_type(Provider.EKS, "p5.48xlarge") == InstanceType(
        name="p5.48xlarge",
        provider=Provider.EKS,
        gpu="H100-SXM",
        gpus=8,
        cpu=192,
        memory_gib=2048,
        network_gbps=3200,
        rdma=Interconnect.EFA,
        rdma_interfaces=32,
        local_nvme_gib=28312,
        pod_interfaces=2,
        interface_addresses=50,
    )
    assert CATALOG.instance_type(Provider.GKE, "a3-megagpu-8g") == InstanceType(
        name="a3-megagpu-8g",
        provider=Provider.GKE,
        gpu="H100-SXM",
        gpus=8,
        cpu=208,
        memory_gib=1872,
        network_gbps=1800,
        rdma=Interconnect.GPUDIRECT_TCPXO,
        rdma_interfaces=8,
        local_nvme_gib=6000,
    )
    assert CATALOG.instance_type(Provider.AKS, "Standard_ND96isr_H100_v5") == InstanceType(
        name="Standard_ND96isr_H100_v5",
        provider=Provider.AKS,
        gpu="H100-SXM",
        gpus=8,
        cpu=96,
        memory_gib=1900,
        network_gbps=3280,
        rdma=Interconnect.INFINIBAND,
        rdma_interfaces=8,
        local_nvme_gib=28672,
    )
