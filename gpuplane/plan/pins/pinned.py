"""The versions that a rendered cluster pins, each by its name."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from charts_py.objects.document import Document
from gpuplane.versions.difference import PlacedDocuments
from gpuplane.versions.record import ReleaseRecord

_DRIVER_OF = "gpu-operator"
"""The chart whose values name the driver of NVIDIA's GPUs."""


class PinKind(StrEnum):
    """What a version is of."""

    CHART = "chart"
    DRIVER = "driver"
    CRDS = "CRDs"


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """What has a version: `chart gpu-operator`, `driver nvidia`, `CRDs kubernetes-sigs/kueue`."""

    kind: PinKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class PinnedChart:
    """A chart as an Application installs it."""

    name: str
    version: str
    values: Mapping[str, Any]

    def value(self, path: str) -> Any:
        """Return the value at a path such as `driver.enabled`; None where it is not set."""
        found: Any = self.values
        for name in path.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        return found


def pinned_charts(documents: PlacedDocuments) -> dict[str, PinnedChart]:
    """Return the charts that Applications install, by name.

    Every Application of a chart names the same version of it.
    """
    return {chart.name: chart for each in documents.values() for chart in _charts(each)}


def pinned(charts: Iterable[PinnedChart]) -> dict[Pin, str]:
    """Return the versions of charts, and of the driver that one of them installs."""
    found = {}
    for chart in charts:
        found[Pin(PinKind.CHART, chart.name)] = chart.version
        driver = chart.value("driver.version")
        if chart.name == _DRIVER_OF and chart.value("driver.enabled") and driver:
            found[Pin(PinKind.DRIVER, "nvidia")] = str(driver)
    return found


def pinned_crds(record: ReleaseRecord | None) -> dict[Pin, str]:
    """Return the versions of the CRDs that objects of a version were validated against."""
    found = {}
    for crds in record.crds if record else ():
        name, _, version = crds.source.rpartition(" ")
        found[Pin(PinKind.CRDS, name)] = version
    return found


def _charts(document: Document) -> Iterator[PinnedChart]:
    if document.get("kind") != "Application":
        return
    spec = document.get("spec") or {}
    for source in [*spec.get("sources", ()), *([spec["source"]] if "source" in spec else [])]:
        chart, version = source.get("chart"), source.get("targetRevision")
        if chart is not None and version is not None:
            # A chart of an OCI registry is named with its folders.
            name = str(chart).rpartition("/")[2]
            values = (source.get("helm") or {}).get("valuesObject") or {}
            yield PinnedChart(name, str(version), values)
