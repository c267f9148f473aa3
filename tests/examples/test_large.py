"""The large examples have no fault and no warning, and a job can have all nodes of a pool."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from charts_py.constructs.platform_warning import warnings_of
from charts_py.load import load_platform
from charts_py.platform.fabric import fabric, is_whole, node_share
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.workload import new_workload
from policies.quantity import Quantity, read_quantity
from tests.charts_py.fixture_types import Load

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "large-clusters"
NAMES = sorted(file.stem for file in EXAMPLES.glob("*.yaml"))
_RDMA = {"rdma/hca_shared_devices_a": 1}


@cache
def _platform(name: str) -> Platform:
    return load_platform(EXAMPLES / f"{name}.yaml", None)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_has_no_warning(name: str, platform_of: Load) -> None:
    text = (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
    assert warnings_of(platform_of(text)) == ()


@pytest.mark.parametrize(
    ("cluster", "pool", "kind"),
    [
        ("eks-p5en", "h200", "trainjob"),
        ("eks-p5en", "h200-block", "trainjob"),
        ("gke-a3", "h200", "trainjob"),
        ("gke-a3", "h100", "jobset"),
        ("dgx-kai", "h100", "jobset"),
        ("dgx-shared", "shared", "job"),
        ("aks-nd-h100", "h100", "trainjob"),
        ("nvl72", "gb200", "jobset"),
    ],
)
def test_a_job_on_all_nodes_of_a_pool_is_admitted_without_a_note(
    cluster: str, pool: str, kind: str
) -> None:
    platform = _platform(cluster)
    (namespace,) = (each for each in platform.namespaces if pool in each.spec.quota.gpus)
    asked = Asked(
        kind=kind,
        name="big",
        namespace=namespace.name,
        pool=pool,
        nodes=platform.cluster.pools[pool].nodes.max if kind != "job" else 1,
        image="registry.example.com/train:1",
        checkpoint="none",
    )
    assert new_workload(asked, platform).notes == ()


def _amount(text: str) -> Quantity:
    amount = read_quantity(text)
    assert amount is not None
    return amount


@pytest.mark.parametrize("name", NAMES)
def test_a_quota_has_room_for_whole_nodes_of_all_its_pools(name: str) -> None:
    platform = _platform(name)
    for namespace in platform.namespaces:
        quota = namespace.spec.quota
        pools = [pool for pool in platform.pools if pool.name in quota.gpus and is_whole(pool)]
        shares = [(node_share(pool, pool.hardware.gpus), pool.spec.nodes.max) for pool in pools]
        assert sum(share.cpu * nodes for share, nodes in shares) <= _amount(quota.cpu)
        assert sum(share.memory_gib * nodes for share, nodes in shares) * 2**30 <= _amount(
            quota.memory
        )


@pytest.mark.parametrize(
    ("cluster", "devices", "interfaces"),
    [
        ("eks-p5en", {"vpc.amazonaws.com/efa": 16}, 0),
        ("gke-a3", {}, 9),
        ("dgx-kai", _RDMA, 0),
        ("dgx-shared", {}, 0),
        ("aks-nd-h100", _RDMA, 0),
        ("nvl72", _RDMA, 0),
    ],
)
def test_its_pods_take_all_of_the_network_of_a_node(
    cluster: str, devices: Mapping[str, int], interfaces: int
) -> None:
    platform = _platform(cluster)
    network = fabric(platform, platform.pools[0])
    named = json.loads(network.annotations.get("networking.gke.io/interfaces", "[]"))
    assert (network.missing, network.resources, len(named)) == (None, devices, interfaces)


def test_the_page_has_their_nodes_and_gpus() -> None:
    page = (ROOT / "docs" / "large-clusters.md").read_text(encoding="utf-8")
    told = re.findall(
        r"^\| \[([\w-]+)\]\(large-clusters/\1\.yaml\) \| (\d+), (\d+)", page, re.MULTILINE
    )
    pools = {name: _platform(name).pools for name in NAMES}
    assert {name: (int(nodes), int(gpus)) for name, nodes, gpus in told} == {
        name: (
            sum(each.spec.nodes.max for each in of_cluster),
            sum(each.spec.nodes.max * each.hardware.gpus for each in of_cluster),
        )
        for name, of_cluster in pools.items()
    }
