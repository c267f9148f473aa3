"""What a cluster has of a component, live and rendered."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from charts_py.objects.document import ObjectKey
from gpuplane.fleet_report.fleet_facts import Fleet, RenderedVersion
from gpuplane.fleet_report.report_page import Cell, Tone
from gpuplane.fleet_report.sections.clusters import component_cell, components_of
from gpuplane.versions.comparison import PlacedObject
from gpuplane.versions.record import ReleaseRecord

Applications: TypeAlias = Mapping[str, Mapping[str, Any]]


def _application(source: Mapping[str, Any], wave: str = "0") -> dict[str, Any]:
    annotations = {"argocd.argoproj.io/sync-wave": wave}
    return {"metadata": {"annotations": annotations}, "spec": {"source": source}}


def _chart(version: str, **values: object) -> dict[str, Any]:
    source = {"chart": "c", "targetRevision": version, "helm": {"valuesObject": values}}
    return _application(source, "3")


def _version(applications: Applications, files: Mapping[str, str] | None = None) -> RenderedVersion:
    record = ReleaseRecord("sample", "1", "1.36", "0", "", (), (), None, files or {})
    objects = {}
    for name, application in applications.items():
        key = ObjectKey("argoproj.io", "Application", "argocd", f"sample-{name}")
        objects[PlacedObject("argocd", key)] = dict(application)
    return RenderedVersion(record, objects)


FOLDER = _application({"path": "dist/sample/1/team", "targetRevision": "main"})


@pytest.mark.parametrize(
    ("live", "rendered", "cell"),
    [
        ({"op": _chart("v1")}, {"op": _chart("v1")}, Cell("v1")),
        ({"op": _chart("v1")}, {"op": _chart("v2")}, Cell("v1 → v2", Tone.WARNING)),
        ({"op": _chart("v1")}, {"op": _chart("v1", a=1)}, Cell("v1, changed", Tone.WARNING)),
        ({}, {"op": _chart("v1")}, Cell("v1, not live yet", Tone.WARNING)),
        ({"op": _chart("v1")}, {}, Cell("v1, live alone", Tone.WARNING)),
        ({}, {}, Cell("")),
    ],
)
def test_a_chart_has_its_version_and_whether_a_promotion_changes_it(
    fleet: Fleet, live: Applications, rendered: Applications, cell: Cell
) -> None:
    (cluster,) = fleet.clusters
    both = replace(cluster, live=_version(live), rendered=_version(rendered))
    assert component_cell(both, "op") == cell


def test_of_a_component_of_its_own_the_objects_are_compared(fleet: Fleet) -> None:
    (cluster,) = fleet.clusters
    old = _version({"team": FOLDER}, {"team/a.yaml": "1", "other/b.yaml": "1"})
    new = _version({"team": FOLDER}, {"team/a.yaml": "2"})
    assert component_cell(replace(cluster, rendered=new), "team") == Cell("gpuplane's own")
    both = replace(cluster, live=old, rendered=new)
    assert component_cell(both, "team") == Cell("gpuplane's own, changed", Tone.WARNING)


def test_components_that_each_pool_has_one_of_go_by_one_name(fleet: Fleet) -> None:
    (cluster,) = fleet.clusters
    charts = {"npd-h100": _chart("2.4"), "npd-a100-mixed": _chart("2.4"), "team": FOLDER}
    rendered = replace(cluster, rendered=_version(charts))
    assert components_of([rendered]) == ("team", "npd-POOL")
    assert component_cell(rendered, "npd-POOL") == Cell("2.4 x 2")
