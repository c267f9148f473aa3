"""The images of the charts that a version's Applications install."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.components.chart import ChartImage, named_images
from charts_py.components.registry import DEFINITIONS
from charts_py.objects.document import Document
from upstream.lock import locked_chart


@dataclass(frozen=True, slots=True, order=True)
class UnknownChart:
    """A chart whose images are not known: another one, or of another version, than is pinned."""

    application: str
    name: str
    """Of the chart; of one in git its folder."""
    version: str
    repository: str

    def __str__(self) -> str:
        return (
            f"{self.application}: the images of the chart {self.name} {self.version} of "
            f"{self.repository} are not known; known are those of {_pins()}"
        )


@dataclass(frozen=True, slots=True)
class InstalledChart:
    """A chart that an Application installs."""

    application: str
    name: str
    version: str
    repository: str
    values: Mapping[str, Any]

    def images(self) -> tuple[tuple[ChartImage, str], ...] | UnknownChart:
        """Return the images that run with its values, with their names; else what is unknown."""
        images = pinned_images().get(self.name)
        if images is None or locked_chart(self.name).chart_version != self.version:
            return UnknownChart(self.application, self.name, self.version, self.repository)
        return tuple(named_images(self.values, images))


def installed_charts(document: Document) -> Iterator[InstalledChart]:
    """Yield the charts that an Application of Argo CD installs; none for any other object."""
    if document["kind"] != "Application":
        return
    spec = document["spec"]
    for source in (*spec.get("sources", ()), *([spec["source"]] if "source" in spec else ())):
        if "chart" in source or "helm" in source:
            yield InstalledChart(
                application=document["metadata"]["name"],
                name=source.get("chart") or source.get("path", "").rpartition("/")[2],
                version=str(source.get("targetRevision", "")),
                repository=source["repoURL"],
                values=source.get("helm", {}).get("valuesObject", {}),
            )


def pinned_images() -> Mapping[str, tuple[ChartImage, ...]]:
    """Return the images of each pinned chart by its name."""
    return {chart.name: chart.images for each in DEFINITIONS for chart in each.charts}


def _pins() -> str:
    return ", ".join(
        f"{name} {locked_chart(name).chart_version}" for name in sorted(pinned_images())
    )
