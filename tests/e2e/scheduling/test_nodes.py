from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.scheduling.nodes import joined, nodes_of


def test_nodes_of_every_pool_are_in_the_cluster_what_their_pool_says(
    admin: ApiClient, platforms: dict[str, Platform]
) -> None:
    pools = [
        (pool, nodes_of(platform, pool.name, 1)[0])
        for platform in platforms.values()
        for pool in platform.pools
    ]
    with joined(admin, *(node for _, node in pools)):
        there = {each["metadata"]["name"]: each for each in admin.find("v1", "Node")}
    for pool, node in pools:
        found = there[node["metadata"]["name"]]
        assert found["metadata"]["labels"].items() >= pool.facts.labels.items()
        assert [f"{t['key']}={t['value']}:{t['effect']}" for t in found["spec"]["taints"]] == [
            str(taint) for taint in pool.facts.taints
        ]
        assert found["status"]["allocatable"] == node["status"]["allocatable"]


def test_a_node_of_the_development_pool_holds_224_shares(platforms: dict[str, Platform]) -> None:
    (node,) = nodes_of(platforms["onprem"], "h200-dev", 1)
    assert node["status"]["allocatable"] == {
        "nvidia.com/mig-1g.18gb.shared": "224",
        "cpu": "192",
        "memory": str(2 * 2**40),
        "pods": "250",
    }
