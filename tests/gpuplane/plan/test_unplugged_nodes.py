"""Who waits for EFA interfaces where pools get other machines."""

from collections.abc import Sequence
from typing import Any

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.unplugged_nodes import unplugged_clauses, unplugged_nodes
from tests.charts_py.fixture_types import PlatformWith

NEWER = ("instanceType: p5.48xlarge", "instanceType: p5en.48xlarge")
FEW = ("instanceType: g5.12xlarge", "instanceType: g5.24xlarge")
SMALL = ("instanceType: g5.12xlarge", "instanceType: g5.2xlarge")
NO_PLUGIN = ("pools:\n", "addons: {efaDevicePlugin: false}\npools:\n")
RENAMED = ("  h100:\n    instanceType: p5.48xlarge", "  h200:\n    instanceType: p5en.48xlarge")
AS_WELL = (
    "pools:\n",
    "pools:\n  more: {instanceType: p5.48xlarge, purpose: training, nodes: {max: 1}}\n",
)
QUOTAS = [("h100: 24, ", ""), ("h100: 8, ", "")]
OF_H100 = (
    "the EFA device plugin leaves p5.48xlarge nodes of sample/h100, and pods of {} that ask for "
    "vpc.amazonaws.com/efa wait for other nodes when they start again"
)
OF_NAMESPACES = OF_H100.format("sample/research, sample/search")
OF_A10G = (
    "the EFA device plugin leaves g5.12xlarge nodes of sample/a10g, and pods of sample/research "
    "that ask for vpc.amazonaws.com/efa wait for other nodes when they start again"
)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([], []),
        ([NEWER], [OF_NAMESPACES]),
        ([NEWER, FEW], [OF_A10G, OF_NAMESPACES]),
        ([SMALL, ("a10g: 16}", "a10g: 8}")], [OF_A10G]),
        ([NEWER, AS_WELL], []),
        ([NEWER, NO_PLUGIN], []),
        ([RENAMED, *QUOTAS], []),
    ],
    ids=[
        "no other machines",
        "another type",
        "two pools of other types",
        "a type without interfaces",
        "a type that another pool has",
        "a plugin of somebody else",
        "a pool that goes",
    ],
)
def test_namespaces_with_a_quota_wait_where_the_plugin_leaves_nodes_of_a_pool(
    platform_after: PlatformWith, changes: Sequence[tuple[str, str]], told: list[str]
) -> None:
    found = unplugged_nodes(platform_after("eks"), platform_after("eks", *changes), None)
    assert [*unplugged_clauses("sample", found)] == told


def _pod(name: str, **more: str) -> Document:
    limits: dict[str, Any] = {"nvidia.com/gpu": 8, **more}
    container = {"name": "main", "image": "nvcr.io/a/b:1", "resources": {"limits": limits}}
    metadata = {"name": name, "namespace": "research"}
    spec = {"containers": [container]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("workloads", "told"),
    [
        (
            [_pod("trainer", **{"vpc.amazonaws.com/efa": "32"}), _pod("single")],
            [OF_H100.format("Pod research/trainer")],
        ),
        ([_pod("single")], []),
    ],
)
def test_workloads_that_are_listed_are_named_where_they_ask_for_interfaces(
    platform_after: PlatformWith, workloads: list[Document], told: list[str]
) -> None:
    found = unplugged_nodes(platform_after("eks"), platform_after("eks", NEWER), workloads)
    assert [*unplugged_clauses("sample", found)] == told


def test_nobody_is_named_where_a_side_is_not_known(platform_after: PlatformWith) -> None:
    assert [*unplugged_nodes(None, platform_after("eks"), None)] == []
