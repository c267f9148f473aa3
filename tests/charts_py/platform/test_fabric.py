import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.cluster_file.training import Framework, Trainer
from charts_py.platform.fabric import (
    Fabric,
    NodeShare,
    fabric,
    is_whole,
    node_share,
    runtime_images,
    runtime_name,
    runtime_pools,
)
from charts_py.platform.fabric_table import fabric_table
from gpus.catalog import load_catalog
from gpus.provider import Provider
from policies.settings import PodSecurity
from tests.charts_py.fixture_types import Load, PlatformWith

DOCS = Path(__file__).parents[3] / "docs"
RDMA = {"rdma/shared": 1}
MNNVL = {"NCCL_MNNVL_ENABLE": "1"}
IPC_LOCK = ("IPC_LOCK",)
UNNAMED = "rdmaResource does not name what its device plugin offers"
UNCLAIMED = "its pods claim their interfaces from GKE's DRA driver"
BY_TEMPLATE = "by a template of their namespace"
H100 = "  h100:\n    instanceType: p5.48xlarge\n"
B300 = {H100: "  h100:\n    instanceType: p6-b300.48xlarge\n"}
NAMED = "    rdmaResource: rdma/shared\n"
NAMED_RACK = {"    interconnect: infiniband\n": f"    interconnect: infiniband\n{NAMED}"}
A100 = "    instanceType: Standard_NC96ads_A100_v4\n"
MIG = "    sharing:\n      mig: {1g.10gb: 7}\n"
ND_V4 = {A100: f"    instanceType: Standard_ND96amsr_A100_v4\n{NAMED}", MIG: ""}


COMPUTE_CLASS = {"  workloadPolicy": "  provisioner: compute-class\n  workloadPolicy"}


def _efa(interfaces: int) -> Fabric:
    return Fabric(
        resources={"vpc.amazonaws.com/efa": interfaces},
        environment={
            "FI_PROVIDER": "efa",
            "FI_EFA_FORK_SAFE": "1",
            "FI_EFA_USE_HUGE_PAGE": "0",
            "NCCL_SOCKET_IFNAME": "eth0",
        },
        capabilities=IPC_LOCK,
    )


ON_AZURE = Fabric(
    RDMA,
    {
        "NCCL_IB_PCI_RELAXED_ORDERING": "1",
        "NCCL_IGNORE_CPU_AFFINITY": "1",
        "NCCL_NET_PLUGIN": "none",
        "NCCL_SOCKET_IFNAME": "eth0",
    },
    IPC_LOCK,
)


def _unnamed(network: str) -> Fabric:
    return Fabric(missing=f"gke.networks.{network} does not name the Network object of each")


@pytest.mark.parametrize(
    ("name", "pool", "replaced", "expected"),
    [
        ("queues", "h100", {}, _efa(32)),
        ("queues", "h100", B300, _efa(16)),
        ("queues", "h100", {H100: f"{H100}    interconnect: ethernet\n"}, Fabric()),
        ("aks", "a100mig", ND_V4, ON_AZURE),
        ("nvl72", "gb200", NAMED_RACK, Fabric(RDMA, MNNVL, IPC_LOCK, claims_channel=True)),
        ("nvl72", "gb200", {}, Fabric({}, MNNVL, claims_channel=True, missing=UNNAMED)),
        (
            "nvl72",
            "gb200",
            {"teams:": "addons: {computeDomains: false}\nteams:"},
            Fabric(missing=UNNAMED),
        ),
        ("gke-roce", "h200", {}, _unnamed("roce")),
        ("gke-networks", "h100", {}, _unnamed("gpudirect-tcpx")),
        (
            "gke-roce",
            "rack",
            {},
            Fabric({}, MNNVL, claims_channel=True, missing=f"{UNCLAIMED}, {BY_TEMPLATE}"),
        ),
        ("gke-roce", "h200", COMPUTE_CLASS, Fabric(missing=UNCLAIMED)),
    ],
)
def test_the_network_of_a_pool_decides_what_its_pods_need(
    platform_after: PlatformWith, name: str, pool: str, replaced: dict[str, str], expected: Fabric
) -> None:
    platform = platform_after(name, *replaced.items())
    assert fabric(platform, platform.pool(pool)) == expected


def test_interfaces_that_are_not_known_are_not_asked_for(platform_after: PlatformWith) -> None:
    stated = (
        "  h100:\n    instanceType: p9.48xlarge\n    gpu: H100-SXM\n    gpus: 8\n    cpu: 192\n"
    )
    platform = platform_after("queues", (H100, f"{stated}    memory: 2Ti\n    interconnect: efa\n"))
    assert fabric(platform, platform.pool("h100")) == Fabric(
        missing="the number of EFA interfaces is not known; hardware describes it"
    )


def test_a_share_leaves_room_for_daemons(example: Load) -> None:
    pool = example("training").pool("h100")
    assert node_share(pool, 8) == NodeShare(cpu=172, memory_gib=1740)
    assert node_share(pool, 1) == NodeShare(cpu=21, memory_gib=217)


def _kept_by_gke(memory: float, _: int) -> float:
    parts = ((4, 0.25), (4, 0.2), (8, 0.1), (112, 0.06), (float("inf"), 0.02))
    kept = 100 / 1024
    for size, share in parts:
        kept += min(memory, size) * share
        memory = max(memory - size, 0)
    return kept


def _kept_by_aks(memory: float, max_pods: int) -> float:
    return min((20 * max_pods + 50) / 1024, memory / 4) + 100 / 1024


def _kept_by_eks(memory: float, max_pods: int) -> float:
    """Return what Karpenter counts as lost in an instance, and what the kubelet keeps."""
    return memory * 0.075 + (255 + 11 * max_pods + 100) / 1024


@pytest.mark.parametrize(
    ("provider", "max_pods", "kept"),
    [
        (Provider.GKE, 110, _kept_by_gke),
        (Provider.AKS, 250, _kept_by_aks),
        (Provider.EKS, 110, _kept_by_eks),
    ],
)
def test_a_share_leaves_daemons_a_gibibyte_of_every_machine(
    provider: Provider, max_pods: int, kept: Callable[[float, int], float], example: Load
) -> None:
    pool = example("training").pool("h100")
    for machine in load_catalog().instance_types[provider].values():
        memory = machine.memory_gib
        hardware = replace(pool.hardware, gpus=machine.gpus, memory=int(memory * 2**30))
        asked = node_share(replace(pool, hardware=hardware), machine.gpus).memory_gib
        assert memory - kept(memory, max_pods) - asked >= 1, machine.name


def test_pods_take_all_of_a_node_where_its_gpus_are_not_shared(example: Load) -> None:
    pools = example("training").pools
    assert [pool.name for pool in pools if is_whole(pool)] == ["h100", "h100-spot"]


def test_pools_of_shared_gpus_have_none(example: Load) -> None:
    pools = runtime_pools(example("training"))
    assert [pool.name for pool in pools] == ["h100", "h100-spot"]


def test_one_is_called_by_its_framework_and_its_pool(example: Load) -> None:
    pool, _ = runtime_pools(example("training"))
    assert runtime_name(Framework.TORCH, pool) == "torch-h100"


def test_mpi_has_some_only_where_there_is_an_image_of_it() -> None:
    image = "registry.example.com/training/mpi:1"
    own = runtime_images(Trainer(images={Framework.MPI: image}))
    others = [Framework.TORCH, Framework.DEEPSPEED, Framework.JAX]
    assert list(runtime_images(Trainer())) == others
    assert (list(own), own[Framework.MPI]) == ([*others, Framework.MPI], image)


@pytest.mark.parametrize(
    ("pool", "level", "interfaces", "beside"),
    [
        ("a3-high", PodSecurity.PRIVILEGED, "tcpx-3", "tcpx-daemon"),
        ("a3-mega", PodSecurity.PRIVILEGED, "tcpxo-7", "tcpxo-daemon"),
        ("a3-ultra", PodSecurity.BASELINE, "rdma-7", "gib"),
    ],
)
def test_pods_on_gke_name_the_networks_of_their_machines(
    pool: str, level: PodSecurity, interfaces: str, beside: str, platform_after: PlatformWith
) -> None:
    platform = platform_after("gke-fabrics")
    network = fabric(platform, platform.pool(pool), (level,))
    named = json.loads(network.annotations["networking.gke.io/interfaces"])
    assert named[0] == {"interfaceName": "eth0", "network": "default"}
    assert named[-1] == {"interfaceName": f"eth{len(named) - 1}", "network": interfaces}
    assert [each["name"] for each in network.beside] == [beside]
    assert fabric(platform, platform.pool(pool), (level, PodSecurity.RESTRICTED)) == Fabric(
        missing=f'its pods take a namespace with podSecurity "{level}"'
    )


def test_a_pool_adds_variables_to_those_of_its_machine(platform_after: PlatformWith) -> None:
    platform = platform_after("gke-fabrics")
    environment = fabric(platform, platform.pool("a3-ultra")).environment
    assert environment["NCCL_TUNER_CONFIG_PATH"] == "/usr/local/gib/configs/tuner_config_a3u.txtpb"
    assert (environment["NCCL_NET"], environment["NCCL_DEBUG"]) == ("gIB", "WARN")


def test_rows_are_of_networks_and_machines_that_there_are() -> None:
    table, catalog = fabric_table(), load_catalog()
    machines = {
        name: machine
        for machines in catalog.instance_types.values()
        for name, machine in machines.items()
    }
    assert {name: machines[name].rdma for name in table.machines if name in machines}.keys() == (
        table.machines.keys()
    )
    for machine in (machines[name] for name in table.machines):
        assert machine.rdma in table.networks[machine.provider]
    for machine in machines.values():
        assert machine.rdma is None or machine.rdma in table.networks[machine.provider]


def test_whatever_a_pod_mounts_is_a_volume_of_it() -> None:
    for networks in fabric_table().networks.values():
        for network in networks.values():
            mounts = [
                *network.mounts,
                *(one for each in network.beside for one in each["volumeMounts"]),
            ]
            assert {one["name"] for one in mounts} == {one["name"] for one in network.volumes}


def test_the_docs_list_what_is_known_of_machines() -> None:
    page = (DOCS / "workloads.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([^`]+)` \| (\d+) \| (\d+G) \| (\d+) \|", page, re.MULTILINE)
    known = {
        (name, f"{found.bus_bandwidth:g}", found.message, str(found.nodes))
        for name, row in fabric_table().machines.items()
        if (found := row.all_reduce)
    }
    assert {*listed} == known
