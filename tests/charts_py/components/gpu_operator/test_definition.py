"""NVIDIA's GPU operator, and what its pinned chart renders with our values."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from charts_py.components.component import Component
from charts_py.components.gpu_operator.definition import GPU_OPERATOR
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf, Load
from upstream.lock import committed_lock, locked_chart

CLUSTERS = ("training", "inference", "mixed", "onprem")
CLUSTER_POLICY_CRD = "crds/gpu-operator-26.7.0/nvidia.com_clusterpolicies.yaml"


def _operator(platform: Platform) -> Component:
    (component,) = GPU_OPERATOR.plan(platform)
    return component


def _cluster_policy(documents: tuple[Document, ...]) -> dict[str, Any]:
    (policy,) = (document for document in documents if document["kind"] == "ClusterPolicy")
    spec: dict[str, Any] = policy["spec"]
    return spec


def test_chart_and_schemas_are_of_one_version() -> None:
    pinned = [file for file in committed_lock() if file.repository == "NVIDIA/gpu-operator"]
    assert {file.version for file in pinned} == {locked_chart("gpu-operator").chart_version}


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_operands_run_on_every_nvidia_node(
    cluster: str, example: Load, rendered: DocumentsOf
) -> None:
    platform = example(cluster)
    policy = _cluster_policy(rendered(_operator(platform)))
    tolerated = {
        (toleration["key"], toleration["value"], toleration["effect"])
        for toleration in policy["daemonsets"]["tolerations"]
    }
    taints = platform.daemon_taints(platform.pools_of("nvidia"))
    assert tolerated == {(taint.key, taint.value, taint.effect) for taint in taints}


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_ignored_differences_are_the_defaults_that_the_chart_leaves_to_the_api_server(
    cluster: str, mirror: Path, example: Load, rendered: DocumentsOf
) -> None:
    (crd,) = from_yaml((mirror / CLUSTER_POLICY_CRD).read_text("utf-8"))
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    policy = _cluster_policy(rendered(_operator(example(cluster))))
    (chart,) = GPU_OPERATOR.charts
    (ignored,) = chart.ignore_differences
    assert sorted(_filled_in(schema, policy, "/spec")) == ignored["jsonPointers"]


def _filled_in(schema: Mapping[str, Any], value: object, path: str) -> Iterator[str]:
    """Yield the pointer of each field that is absent and has a default."""
    if not isinstance(value, dict):
        return
    for name, field in schema.get("properties", {}).items():
        if name in value:
            yield from _filled_in(field, value[name], f"{path}/{name}")
        elif "default" in field:
            yield f"{path}/{name}"


@pytest.mark.parametrize(
    ("cluster", "is_alerted"), [("onprem", True), ("training", False), ("inference", False)]
)
def test_they_are_there_where_the_operator_upgrades_the_driver(
    example: Load, cluster: str, is_alerted: bool
) -> None:
    groups = GPU_OPERATOR.rules.groups(example(cluster))
    assert [group.alerts for group in groups] == [GPU_OPERATOR.rules.alerts()] * is_alerted
