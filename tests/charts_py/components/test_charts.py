"""Every Helm release of every component, held against its pinned chart."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from charts_py.argocd.project import permissions_of
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.registry import DEFINITIONS
from charts_py.helm.objects import without_nulls
from charts_py.objects.document import Document, key_of
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf
from upstream.kubeconform import run_kubeconform
from upstream.lock import committed_lock

DISCOVERY = "node-feature-discovery"
"""A chart within the charts of the operators; its values stand under its name."""

COMMENTED: Mapping[str, Mapping[str, Document]] = {
    "gpu-operator": {
        "operator": {"metrics": {"serviceMonitor": {}}},
        "dcgmExporter": {"imagePullSecrets": [], "config": {"create": False, "name": ""}},
    },
    "kai-scheduler": {
        "numaPlacementExporter": {"enabled": False},
        **{
            part: {"resources": {}}
            for part in ("scheduler", "binder", "podgrouper", "podgroupcontroller")
        },
    },
    "jupyterhub": {"hub": {"config": {}}, "singleuser": {"extraLabels": {}}},
    "keda-add-ons-http": {part: {"priorityClassName": ""} for part in ("interceptor", "scaler")},
    "topograph": {
        "provider": {"params": {"nodeSelector": {}}},
        "nodeObserver": {"topograph": {"trigger": {"nodeSelector": {}}}},
    },
}
"""Values that a chart reads, but leaves out or shows commented out."""

POD_FIELDS = ("podSecurityContext", "resources", "securityContext", "affinity")
"""How the names of values end that a chart hands on to the pod as a whole, which take any field of
Kubernetes'."""

each_chart = pytest.mark.parametrize(
    "definition",
    [definition for definition in DEFINITIONS if definition.charts],
    ids=lambda definition: definition.name,
)


def _releases(
    definition: Definition, platforms: Mapping[str, Platform]
) -> Iterator[tuple[Platform, Component]]:
    """Yield each release of a component, with its platform; there is at least one."""
    found = [(p, c) for p in platforms.values() for c in definition.plan(p) if c.helm is not None]
    assert found
    yield from found


@each_chart
def test_every_value_stands_in_the_pinned_chart(
    definition: Definition,
    platforms: Mapping[str, Platform],
    pinned_values: Callable[[str], Document],
) -> None:
    for platform, component in _releases(definition, platforms):
        assert component.helm is not None
        pinned = pinned_values(component.helm.chart)
        for section, commented in COMMENTED.get(component.helm.chart, {}).items():
            pinned = {**pinned, section: {**pinned[section], **commented}}
        if DISCOVERY in pinned:
            pinned = {**pinned, DISCOVERY: {"enabled": True, **pinned_values(DISCOVERY)}}
        unknown = [path for path in _paths(component.helm.values) if not _exists(pinned, path)]
        assert (platform.name, unknown) == (platform.name, [])


@each_chart
def test_the_chart_renders_exactly_the_kinds_that_the_project_allows(
    definition: Definition, platforms: Mapping[str, Platform], rendered: DocumentsOf
) -> None:
    for platform, component in _releases(definition, platforms):
        assert component.helm is not None
        rendered_kinds = {key_of(document).emitted_kind for document in rendered(component)}
        kinds = {(kind.group, kind.kind) for kind in rendered_kinds}
        allowed = {(kind.group, kind.kind): kind.namespaced for kind in component.helm.kinds}
        assert (platform.name, kinds) == (platform.name, set(allowed))
        # A chart may leave the namespace to the release. Two write one into kinds that live in
        # none.
        mistaken = {
            kind.kind for kind in rendered_kinds if kind.namespaced > allowed[kind.group, kind.kind]
        }
        assert (component.name, mistaken) in (
            (component.name, set()),
            ("kueue", {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}),
            ("slurm-operator", {"ClusterRole"}),
        )


@each_chart
def test_every_namespace_that_a_chart_names_is_a_destination(
    definition: Definition, platforms: Mapping[str, Platform], rendered: DocumentsOf
) -> None:
    for platform, component in _releases(definition, platforms):
        named = {key_of(document).namespace for document in rendered(component)} - {""}
        allowed = permissions_of((component,), {}, platform.cluster.gitops).destinations
        assert named <= {destination.namespace for destination in allowed}


@each_chart
def test_whatever_a_chart_renders_is_valid(
    definition: Definition, platforms: Mapping[str, Platform], rendered: DocumentsOf, tmp_path: Path
) -> None:
    # What platforms have in common is one object, and is validated once for each Kubernetes.
    documents: dict[str, dict[int, Document]] = {}
    for platform, component in _releases(definition, platforms):
        found = documents.setdefault(platform.cluster.kubernetes.value, {})
        found |= {id(document): document for document in rendered(component)}
    for version, found in documents.items():
        file = tmp_path / f"{version}.yaml"
        # Every document of JSON is one of YAML, and written in a tenth of the time.
        sources = (json.dumps(without_nulls(_without_status(each))) for each in found.values())
        file.write_text("\n---\n".join(sources), encoding="utf-8")
        report = run_kubeconform([file], version)
        assert (version, report.failures) == (version, ())
        assert len(report.results) == len(found)


@each_chart
def test_every_chart_is_pinned_once(definition: Definition) -> None:
    pinned = [file.chart for file in committed_lock()]
    assert [pinned.count(chart.name) for chart in definition.charts] == [1] * len(definition.charts)


def _without_status(document: Document) -> Document:
    """Return a definition as the API server takes it, which writes its status alone."""
    if document["kind"] != "CustomResourceDefinition":
        return document
    return {key: value for key, value in document.items() if key != "status"}


def _paths(values: Mapping[str, Any], parents: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of each value that is not a mapping."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _paths(value, (*parents, key))
        else:
            yield (*parents, key)


def _exists(pinned: Any, path: tuple[str, ...]) -> bool:
    """Tell whether the chart has the path, or a mapping on the way that is free to fill."""
    for parent, key in zip(("", *path), path, strict=False):
        if pinned == {} or parent.endswith(POD_FIELDS):
            return True
        if not isinstance(pinned, dict) or key not in pinned:
            return False
        pinned = pinned[key]
    return True


@pytest.mark.parametrize(
    ("pinned", "path", "exists"),
    [
        ({"driver": {"enabled": True}}, ("driver", "enabled"), True),
        ({"driver": {"enabled": True}}, ("driver", "enable"), False),
        ({"driver": {"enabled": True}}, ("drivers", "enabled"), False),
        ({"driver": {"enabled": True}}, ("driver", "enabled", "always"), False),
        ({"nodeSelector": {}}, ("nodeSelector", "any/label"), True),
        ({"securityContext": {"privileged": True}}, ("securityContext", "runAsUser"), True),
    ],
)
def test_a_misspelled_key_does_not_exist(
    pinned: dict[str, Any], path: tuple[str, ...], exists: bool
) -> None:
    assert _exists(pinned, path) is exists
