"""What of a version a cluster shares with others, so that one can try it for the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from charts_py.cluster_file.cluster_files import FLEET_FILE
from gpuplane.versions.record import ReleaseRecord


class PartKind(StrEnum):
    """Where a part comes from."""

    TOOL = "gpuplane"
    CHART = "chart"
    FLEET = FLEET_FILE


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """The tool that renders, a chart, or a field of `fleet.yaml`."""

    kind: PartKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".rstrip()


Parts: TypeAlias = Mapping[Part, str]
"""A version of each part; of a field of `fleet.yaml`, its SHA-256."""


def parts_of(record: ReleaseRecord | None) -> Parts:
    """Return what a version shares; nothing of none."""
    if record is None:
        return {}
    return {
        Part(PartKind.TOOL): record.tool_version,
        **{Part(PartKind.CHART, chart.name): chart.version for chart in record.charts},
        **{Part(PartKind.FLEET, name): value for name, value in (record.shared or {}).items()},
    }


def changed_parts(old: Parts, new: Parts) -> Parts:
    """Return the parts that the version before has otherwise, or not at all.

    A field that `fleet.yaml` has no more is empty; a chart that goes is a cluster's own affair.
    """
    gone = {part: "" for part in old if part.kind is PartKind.FLEET and part not in new}
    changed = {part: value for part, value in new.items() if old.get(part) != value}
    return dict(sorted((gone | changed).items()))


def has_all(parts: Parts, change: Parts) -> bool:
    """Return whether a version has each part of a change."""
    return all(parts.get(part, "") == value for part, value in change.items())


def in_words(parts: Parts) -> str:
    """Return parts as messages name them."""
    shown = (
        str(part) if part.kind is PartKind.FLEET else f"{part} {value}"
        for part, value in sorted(parts.items())
    )
    return ", ".join(shown)
