"""The images of the charts of Applications."""

from __future__ import annotations

from typing import Any

import pytest

from gpuplane.images.chart_images import InstalledChart, UnknownChart, installed_charts
from upstream.lock import locked_chart

SERVER = "metrics-server"
VERSION = locked_chart(SERVER).chart_version
REPOSITORY = "https://charts.example.com"


def _application(**source: Any) -> dict[str, Any]:
    stated = {"repoURL": REPOSITORY, "targetRevision": VERSION, **source}
    return {
        "kind": "Application",
        "metadata": {"name": "sample-metrics-server"},
        "spec": {"source": stated},
    }


def _chart(name: str = SERVER, version: str = VERSION, **values: Any) -> InstalledChart:
    return InstalledChart("sample-metrics-server", name, version, REPOSITORY, values)


@pytest.mark.parametrize(
    ("document", "charts"),
    [
        (_application(chart=SERVER), [_chart()]),
        (_application(chart=SERVER, helm={"valuesObject": {"a": 1}}), [_chart(a=1)]),
        (_application(path="charts/metrics-server", helm={}), [_chart()]),
        (_application(path="dist/sample/1.0.0/webhook"), []),
        ({"kind": "ConfigMap", "metadata": {"name": "a"}}, []),
    ],
)
def test_an_application_installs_a_chart_or_a_folder(
    document: dict[str, Any], charts: list[InstalledChart]
) -> None:
    assert list(installed_charts(document)) == charts


def test_each_of_several_sources_may_be_a_chart() -> None:
    document = _application(chart=SERVER)
    source = document["spec"].pop("source")
    document["spec"]["sources"] = [source, {"repoURL": REPOSITORY, "path": "values"}]
    assert list(installed_charts(document)) == [_chart()]


@pytest.mark.parametrize(
    ("values", "image"),
    [
        ({}, "registry.k8s.io/metrics-server/metrics-server:v0.8.1"),
        ({"image": {"repository": "a.example.com/b"}}, "a.example.com/b:v0.8.1"),
        ({"image": {"tag": "v9"}}, "registry.k8s.io/metrics-server/metrics-server:v9"),
    ],
)
def test_values_decide_which_image_runs(values: dict[str, Any], image: str) -> None:
    images = _chart(**values).images()
    assert not isinstance(images, UnknownChart)
    assert [name for _, name in images] == [image]


@pytest.mark.parametrize(("name", "version"), [(SERVER, "3.0.0"), ("redis", "1.0.0")])
def test_nothing_is_said_of_a_chart_that_is_not_pinned(name: str, version: str) -> None:
    unknown = _chart(name, version).images()
    assert unknown == UnknownChart("sample-metrics-server", name, version, REPOSITORY)
    assert str(unknown).startswith(
        f"sample-metrics-server: the images of the chart {name} {version} of {REPOSITORY} are not "
        "known; known are those of aws-efa-k8s-device-plugin v0.5.30, "
    )
