"""The scheduler places what admission lets pass for its node labels, and nothing else."""

from typing import Any

import pytest
import yaml

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import POOL
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.folders import REPOSITORY
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import gpu_pod, required
from tests.e2e.scheduling.nodes import joined, nodes_of, stated_labels
from tests.e2e.scheduling.placements import create_all, placements
from tests.policies.test_node_selectors import expression

NAMESPACE = "selectors"
ROWS = yaml.safe_load((REPOSITORY / "tests/policies/node_selectors.yaml").read_bytes())
_BY_LABELS = ("granted-pools:", "gpu-resource-offered:")
_NODES = 2


def _nodes(platform: Platform, admitted: list[Any]) -> list[Document]:
    """Return nodes with all that a table says, and what it leaves open as pods select it."""
    nodes = []
    for pool in platform.pools:
        known = {**pool.facts.labels, **stated_labels(pool)}
        selected = [row["selects"] for row in admitted if pool.name in row["pools"]]
        for node in nodes_of(platform, pool.name, _NODES):
            labels = node["metadata"]["labels"]
            open_ = {k: v for row in selected for k, v in row.items() if k not in known}
            nodes.append({**node, "metadata": {**node["metadata"], "labels": {**labels, **open_}}})
    return nodes


def _pod(name: str, row: Any, platform: Platform) -> Document:
    """Return a pod that tolerates all, and is kept to the pools of the namespace of a row."""
    own = policy_settings(platform).namespaces.get(row["namespace"])
    expressions = [expression(each) for each in row["requires"]]
    if own is not None and own.pools is not None:
        expressions.append({"key": POOL, "operator": "In", "values": list(own.pools)})
    pod = gpu_pod(name, NAMESPACE, {row["asks"]: 1}, cpu="1m")
    pod["spec"] |= {"nodeSelector": row["selects"], "tolerations": [{"operator": "Exists"}]}
    if expressions:
        pod["spec"]["affinity"] = required([{"matchExpressions": expressions}])
    return pod


@pytest.mark.parametrize("cluster", ["inference", "mixed", "onprem", "training"])
def test_what_is_refused_for_its_node_labels_finds_no_node_and_what_is_admitted_does(
    admin: ApiClient, platforms: dict[str, Platform], cluster: str
) -> None:
    platform = platforms[cluster]
    rows = {
        section: [row for row in ROWS[section] if row["cluster"] == cluster and row["asks"]]
        for section in ("refused", "warned", "admitted")
    }
    refused = [row for row in rows["refused"] if row["says"].startswith(_BY_LABELS)]
    waiting = {f"waiting-{at}": row for at, row in enumerate([*refused, *rows["warned"]])}
    running = {f"running-{at}": row for at, row in enumerate(rows["admitted"])}
    pods = [_pod(name, row, platform) for name, row in (waiting | running).items()]
    with joined(admin, *_nodes(platform, rows["admitted"])), applied(admin, [namespace(NAMESPACE)]):
        create_all(admin, pods)
        placed = placements(admin, NAMESPACE, len(pods))
    assert {each.pod for each in placed if each.node is None} == {*waiting}
    nodes = {each.pod: each.node.rpartition("-")[0] for each in placed if each.node is not None}
    assert {*nodes} == {*running}
    for name, row in running.items():
        assert nodes[name].removeprefix(f"{cluster}-") in row["pools"]
