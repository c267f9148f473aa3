from typing import Any

import pytest

from gpus import instance_type
from gpus.catalog import load_catalog
from gpus.instance_type import InstanceType, Interconnect, read_offer
from gpus.provider import Provider
from gpus.purchase import Purchase

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


ROW = {
    "gpu": "T4",
    "gpus": 1,
    "cpu": 4,
    "memory_gib": 16,
    "network_gbps": 5,
    "rdma_interfaces": 0,
    "local_nvme_gib": 0,
}


@pytest.mark.parametrize(
    ("table", "missing"),
    [
        ({}, "topology_levels"),
        ({"family_topology_levels": {"p5": 3}}, "topology_levels"),
        (
            {"required": ["purchases", "accelerator"], "family_topology_levels": {"p9": 3}},
            "accelerator, purchases",
        ),
    ],
)
def test_a_row_without_a_column_is_never_read(
    table: dict[str, Any], missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {"name_pattern": ".+", "instance_type": {"p9.48xlarge": ROW}}
    monkeypatch.setattr(instance_type, "read_table", lambda _: table | rows)
    with pytest.raises(
        ValueError, match=rf"^instance_types_eks\.toml: p9\.48xlarge has no {missing}$"
    ):
        read_offer(Provider.EKS)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"memory_gb": 16}, "unknown column memory_gb; nearest: memory_gib"),
        ({"rdma": "infinband"}, f'rdma: unknown "infinband"; allowed: {", ".join(Interconnect)}'),
        ({"purchases": ["spott"]}, f'purchases: unknown "spott"; allowed: {", ".join(Purchase)}'),
        ({"gpu": "GB300"}, "gpu: GB300 has no line under [accelerator]"),
    ],
)
def test_a_wrong_row_is_named(
    row: dict[str, Any], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {
        "name_pattern": ".+",
        "accelerator": {"T4": {"type": "nvidia-tesla-t4", "mig_profiles": {}}},
        "instance_type": {"n9-standard-4": ROW | {"topology_levels": 0} | row},
    }
    monkeypatch.setattr(instance_type, "read_table", lambda _: table)
    with pytest.raises(ValueError, match="toml") as caught:
        read_offer(Provider.GKE)
    assert str(caught.value) == f"instance_types_gke.toml: n9-standard-4: {fault}"


def test_a_row_takes_the_levels_of_its_family_unless_it_states_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = {"p9.48xlarge": ROW, "p9.4xlarge": ROW | {"topology_levels": 0}}
    table = {"name_pattern": ".+", "family_topology_levels": {"p9": 3}, "instance_type": rows}
    monkeypatch.setattr(instance_type, "read_table", lambda _: table)
    found = read_offer(Provider.EKS).instance_types
    assert {name: one.topology_levels for name, one in found.items()} == {
        "p9.48xlarge": 3,
        "p9.4xlarge": 0,
    }


def test_a_machine_that_is_not_listed_has_the_levels_of_its_family() -> None:
    names = ("p6e-gb200.36xlarge", "p5.24xlarge", "g5g.16xlarge")
    assert [CATALOG.topology_levels(Provider.EKS, name) for name in names] == [3, 3, 0]
    assert CATALOG.topology_levels(Provider.GKE, "a3-highgpu-16g") == 0


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
        topology_levels=3,
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
        topology_levels=3,
        purchases=(*(Purchase.RESERVED, Purchase.ON_DEMAND), *(Purchase.FLEX_START, Purchase.SPOT)),
        accelerator="nvidia-h100-mega-80gb",
        local_disk_gib=375,
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
