import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.provider import EksProvisioner, GkeProvisioner
from charts_py.components.node_pools import NODE_POOLS, NODES_UNKNOWN, node_alerts
from charts_py.metrics.series import in_metrics
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.providers.registry import PROVIDERS
from gpus.catalog import load_catalog
from gpus.provider import Provider
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith
from upstream.kubeconform import run_kubeconform

Choice = EksProvisioner | GkeProvisioner | Provider

EXAMPLES = {
    EksProvisioner.KARPENTER: "training",
    EksProvisioner.EKSCTL: "training",
    GkeProvisioner.CONFIG_CONNECTOR: "inference",
    GkeProvisioner.COMPUTE_CLASS: "inference",
    Provider.AKS: "mixed",
    Provider.ONPREM: "onprem",
}
SYNCED = {
    EksProvisioner.KARPENTER: ("node-pools", Wave.NODES, True),
    EksProvisioner.EKSCTL: ("bootstrap", Wave.NODES, False),
    GkeProvisioner.CONFIG_CONNECTOR: ("node-pools", Wave.NODES, True),
    GkeProvisioner.COMPUTE_CLASS: ("node-pools", Wave.NODES, True),
    Provider.AKS: ("node-pools", Wave.NODES, True),
    Provider.ONPREM: ("node-pools", Wave.NODE_FEATURES, True),
}
NAMESPACES = {
    EksProvisioner.KARPENTER: ("node-pools",),
    EksProvisioner.EKSCTL: (),
    GkeProvisioner.CONFIG_CONNECTOR: ("node-pools",),
    GkeProvisioner.COMPUTE_CLASS: (),
    Provider.AKS: ("node-pools",),
    Provider.ONPREM: (),
}
each_choice = pytest.mark.parametrize("choice", EXAMPLES)


def with_choice(platform: Platform, choice: Choice) -> Platform:
    """Return an example, with what makes its nodes chosen."""
    cluster = platform.cluster
    for block in ("eks", "gke"):
        settings = getattr(cluster, block)
        if settings is not None:
            chosen = settings.model_copy(update={"provisioner": choice})
            cluster = cluster.model_copy(update={block: chosen})
    return replace(platform, cluster=cluster)


@pytest.fixture
def platform(example: Load, choice: Choice) -> Platform:
    return with_choice(example(EXAMPLES[choice]), choice)


@pytest.fixture
def documents(platform: Platform, documents_of_component: DocumentsOf) -> tuple[Document, ...]:
    (component,) = NODE_POOLS.plan(platform)
    return documents_of_component(component)


def values_of(tree: Any, *keys: str) -> Iterator[Any]:
    """Yield what stands under any of the keys, wherever in a document."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if key in keys:
                yield value
            yield from values_of(value, *keys)
    elif isinstance(tree, list):
        for value in tree:
            yield from values_of(value, *keys)


def taint_texts(document: Document) -> set[str]:
    """Return the taints of a document's nodes as `key=value:Effect`, however it spells them."""
    listed = [taint for taints in values_of(document, *TAINT_FIELDS) for taint in taints]
    return {taint if isinstance(taint, str) else spelled(taint) for taint in listed}


def spelled(taint: dict[str, str]) -> str:
    effect = taint["effect"].title().replace("_", "") if "_" in taint["effect"] else taint["effect"]
    return f"{taint['key']}={taint['value']}:{effect}"


TAINT_FIELDS = ("taints", "taint", "nodeTaints")
LABEL_FIELDS = ("labels", "nodeLabels")
FOR_THE_AUTOSCALER = "k8s.amazonaws.com/accelerator"
"""A label of node groups that no pod selects by."""


def test_every_choice_has_an_example() -> None:
    without_choice = {Provider.AKS, Provider.ONPREM}
    assert set(EXAMPLES) == {*EksProvisioner, *GkeProvisioner, *without_choice}


@each_choice
def test_one_component_makes_the_nodes(platform: Platform, choice: Choice) -> None:
    (component,) = NODE_POOLS.plan(platform)
    assert (component.name, component.wave, component.is_synced) == SYNCED[choice]
    assert component.is_removed_last is component.is_synced


@each_choice
def test_every_namespace_of_an_object_is_asked_for(
    platform: Platform, documents: tuple[Document, ...], choice: Choice
) -> None:
    used = {document["metadata"].get("namespace") for document in documents} - {None}
    asked_for = PROVIDERS[platform.provider.name].provisioner(platform.cluster).namespaces
    assert asked_for == NAMESPACES[choice] == tuple(used)


@each_choice
def test_every_pool_s_nodes_carry_all_of_its_labels(
    platform: Platform, documents: tuple[Document, ...]
) -> None:
    found = values_of(list(documents), *LABEL_FIELDS)
    set_on_nodes = [
        {key: value for key, value in labels.items() if key != FOR_THE_AUTOSCALER}
        for labels in found
    ]
    for pool in platform.pools:
        assert dict(pool.facts.labels) in set_on_nodes


@each_choice
def test_every_taint_is_set_once_by_us_or_by_the_provider(
    platform: Platform, documents: tuple[Document, ...]
) -> None:
    by_provider = {str(t) for pool in platform.pools for t in pool.facts.provider_taints}
    expected = {str(t) for pool in platform.pools for t in pool.facts.taints}
    # A node group of eksctl has those that go once a node is ready among the others.
    startup = {str(t) for each in platform.contribution.startup_taints.values() for t in each}
    by_us = {text for document in documents for text in taint_texts(document)} - startup
    assert by_us | by_provider == expected
    assert not by_us & by_provider


@each_choice
def test_rendering_is_deterministic(
    platform: Platform, documents: tuple[Document, ...], documents_of_component: DocumentsOf
) -> None:
    (component,) = NODE_POOLS.plan(platform)
    assert json.dumps(documents_of_component(component)) == json.dumps(documents)


@each_choice
def test_every_object_is_what_its_schema_asks_for(
    platform: Platform, documents: tuple[Document, ...], tmp_path: Path
) -> None:
    for index, document in enumerate(documents):
        (tmp_path / f"{index}.yaml").write_text(to_yaml(document), encoding="utf-8")
    report = run_kubeconform([tmp_path], platform.cluster.kubernetes)
    assert [str(failure) for failure in report.failures] == []
    assert len(report.results) == len(documents)


VENDORS = load_catalog().vendors.values()
WHOLE = [name for each in VENDORS for name in (each.resource, *each.other_resources)]
PARTS = ["nvidia.com/mig-1g.10gb", "nvidia.com/gpu.shared"]


@pytest.mark.parametrize("resource", [*WHOLE, *PARTS])
def test_they_read_the_gpus_of_every_maker_and_their_parts(resource: str) -> None:
    selectors = {s for a in node_alerts() for s in re.findall(r'resource=~"(.*?)"', a.expression)}
    assert all(re.fullmatch(selector, in_metrics(resource)) for selector in selectors)
    assert not any(re.fullmatch(selector, "cpu") for selector in selectors)


@pytest.mark.parametrize(("nodes", "is_told"), [("max: 2", False), ("min: 1, max: 4", True)])
def test_that_no_node_is_known_is_told_where_a_pool_keeps_one(
    platform_after: PlatformWith, nodes: str, is_told: bool
) -> None:
    pool = "    nodes: {%s}\n    sharing: {timeSlicing: 4}"
    platform = platform_after("gke", (pool % "max: 2", pool % nodes))
    (group,) = NODE_POOLS.rules.groups(platform)
    assert (NODES_UNKNOWN in {alert.name for alert in group.alerts}) is is_told
