"""Patches of Applications whose charts are rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.argocd.applications import application_of, applications
from charts_py.components.metrics_server import METRICS_SERVER
from charts_py.extensions.patches import Patcher
from charts_py.rendering.chart_patches import refused_patches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from charts_py.cluster_file.fault import Fault
    from charts_py.platform.platform import Platform

NAME = "sample-metrics-server"
RELEASE_NAME = "spec.source.helm.releaseName"
VALUES = "spec.source.helm.valuesObject"
APPLIES = "{op: add, path: /spec/source/helm/valuesObject, value: {replicas: 2}}"


def _put(path: str, value: str) -> str:
    return f"{{op: add, path: /spec/{path}, value: {value}}}"


def _removed(path: str) -> str:
    return f"{{op: remove, path: /spec/{path}}}"


@pytest.fixture
def loaded(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> Callable[[str], Platform]:
    """Return the function that loads a cluster whose second patch has a second operation."""

    def load(operation: str) -> Platform:
        patches = [
            f"    - {{kind: Application, name: {name}, operations: [{operations}]}}"
            for name, operations in (
                ("sample-gpu-operator", APPLIES),
                (NAME, f"{APPLIES}, {operation}"),
                (NAME, "{op: test, path: /spec/project, value: sample-platform}"),
            )
        ]
        return platform_of("\n".join([sample("nvl72"), "extensions:", "  patches:", *patches, ""]))

    return load


def _refused(platform: Platform) -> Iterator[Fault]:
    (component,) = METRICS_SERVER.plan(platform)
    documents = Patcher(platform).apply(applications(platform, (component,)))
    (application,) = (each for each in documents if each["metadata"]["name"] == NAME)
    return refused_patches(platform, application_of(platform, component).spec, application)


@pytest.mark.parametrize(
    "operation",
    [
        _put("source/helm/valuesObject/replicas", "3"),
        _put("source/helm/releaseName", "other"),
        _put("source/helm/skipCrds", "true"),
        _put("destination/namespace", "other"),
        _put("syncPolicy", "{}"),
    ],
)
def test_what_helm_is_told_of_may_change(loaded: Callable[[str], Platform], operation: str) -> None:
    assert list(_refused(loaded(operation))) == []


@pytest.mark.parametrize(
    ("operation", "fields"),
    [
        (_put("source/helm/parameters", "[{name: a}]"), "spec.source.helm.parameters"),
        (_put("source/helm/a~1b", "1"), "spec.source.helm.a/b"),
        (_put("source/targetRevision", "3.0.0"), "spec.source.targetRevision"),
        (_put("sources", "[]"), "spec.sources"),
        (_put("source/helm/releaseName", "5"), RELEASE_NAME),
        (_removed("source/helm/releaseName"), RELEASE_NAME),
        (_removed("source/helm"), RELEASE_NAME),
        (_put("source/helm", "nope"), RELEASE_NAME),
        (_put("source/helm/valuesObject", "null"), VALUES),
        (_put("source/helm/valuesObject", "text"), VALUES),
        (_put("source/helm/skipCrds", "1"), "spec.source.helm.skipCrds"),
        (_removed("destination/namespace"), "spec.destination.namespace"),
        (_removed("destination"), "spec.destination.namespace"),
        (
            "{op: move, from: /spec/source, path: /spec/other}",
            f"spec.source.chart, spec.source.repoURL, spec.source.targetRevision, {RELEASE_NAME}",
        ),
    ],
)
def test_what_helm_cannot_be_told_of_is_a_fault_of_the_operation(
    loaded: Callable[[str], Platform], operation: str, fields: str
) -> None:
    platform = loaded(operation)
    place = ("extensions", "patches", 1, "operations", 1)
    what = f"changes {fields} of Application argocd/{NAME}, which cannot be applied when rendering"
    allowed = (
        f"a text in spec.destination.namespace, a text in {RELEASE_NAME}, a mapping in {VALUES}, "
        "true or false in spec.source.helm.skipCrds, or gitops.charts: application"
    )
    assert list(_refused(platform)) == [platform.fault(place, what, allowed)]
