"""The labels by which Prometheus selects what it reads, on every monitor there is."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from charts_py.components.component import Component
from charts_py.components.registry import plan_components
from charts_py.components.scraping import with_monitor_labels
from charts_py.platform.platform import Platform
from tests.charts_py.components.adapted_platform import LABELS
from tests.charts_py.fixture_types import DocumentsOf, Load, ObjectsOfAll

GROUP = "monitoring.coreos.com/"


def test_every_monitor_that_is_emitted_has_them(adapted_objects: ObjectsOfAll) -> None:
    found = set()
    for folders in adapted_objects.values():
        documents = [each for folder in folders.values() for each in folder]
        monitors = [each for each in documents if each["apiVersion"].startswith(GROUP)]
        assert [m["metadata"]["name"] for m in monitors if not _has(m["metadata"]["labels"])] == []
        found |= {each["kind"] for each in monitors}
        asked = [place for each in documents for place in _asked_for(each)]
        assert [place for place in asked if not _has(_labels_of(place))] == []
    assert found == {"PodMonitor", "PrometheusRule", "ServiceMonitor"}


def test_every_monitor_that_a_chart_brings_or_its_operator_makes_has_them(
    adapted: Mapping[str, Platform], rendered: DocumentsOf, is_mirrored: Callable[[Component], bool]
) -> None:
    found = 0
    for platform in adapted.values():
        for component in filter(is_mirrored, plan_components(platform)):
            for each in rendered(component):
                assert not each["apiVersion"].startswith(GROUP) or _has(each["metadata"]["labels"])
                asked = list(_asked_for(each))
                assert [place for place in asked if not _has(_labels_of(place))] == []
                found += len(asked)
    operators = [
        platform
        for platform in adapted.values()
        if "gpu-operator" in {each.name for each in plan_components(platform)}
    ]
    # Of the operator itself, and of the exporter where the Prometheus operator scrapes it.
    assert found == sum(2 if each.monitoring.has_operator else 1 for each in operators)


def test_what_a_monitor_says_itself_stays() -> None:
    own = {"metadata": {"name": "own", "labels": {"release": "other"}}}
    monitor = {"apiVersion": f"{GROUP}v1", "kind": "PodMonitor", **own}
    config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "own"}}
    labels = {"release": "stack", "team": "sre"}
    assert list(with_monitor_labels([monitor, config_map], labels)) == [
        {**monitor, "metadata": {"name": "own", "labels": {"release": "other", "team": "sre"}}},
        config_map,
    ]


def test_without_labels_nothing_is_said_of_them(example: Load) -> None:
    (component,) = (
        each for each in plan_components(example("onprem")) if each.name == "gpu-operator"
    )
    assert component.helm is not None
    assert "metrics" not in component.helm.values["operator"]
    assert "additionalLabels" not in component.helm.values["dcgmExporter"]["serviceMonitor"]


def _asked_for(value: Any) -> Iterator[dict[str, Any]]:
    """Yield what any custom resource asks an operator to make a ServiceMonitor of."""
    if isinstance(value, list):
        for each in value:
            yield from _asked_for(each)
    if isinstance(value, dict) and value.get("kind") != "CustomResourceDefinition":
        for key, inner in value.items():
            if key == "serviceMonitor" and isinstance(inner, dict) and _is_made(inner):
                yield inner
            yield from _asked_for(inner)


def _is_made(monitor: Mapping[str, Any]) -> bool:
    return bool(monitor.get("enabled", monitor.get("enable", True)))


def _labels_of(monitor: Mapping[str, Any]) -> Mapping[str, str]:
    labels: Mapping[str, str] = monitor.get("additionalLabels", monitor.get("labels", {}))
    return labels


def _has(labels: Mapping[str, str]) -> bool:
    return LABELS.items() <= labels.items()
