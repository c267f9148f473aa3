"""What a changelog says of a version by itself: what differs, by component."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from charts_py.objects.fields import Absent, FieldChange
from charts_py.release.diff.objects import ChangedObject, ObjectDifference, PlacedObject
from charts_py.release.diff.values import is_multi_line, shown_value
from charts_py.release.release_record import ReleaseRecord

_MOST_OBJECTS, _MOST_FIELDS, _MOST_CHARACTERS = 6, 3, 60
"""What is named of each component, and of each of its objects; the rest is counted."""


def changelog_entry(
    old: ReleaseRecord | None, new: ReleaseRecord, difference: ObjectDifference
) -> str:
    """Return what differs between two versions, below the headings of https://keepachangelog.com."""
    sections = {
        "Added": _lines(_by_component((each, str(each.key)) for each in difference.added)),
        "Changed": chain(_pins(old, new), _lines(_by_component(_changed(difference.changed)))),
        "Removed": _lines(_by_component((each, str(each.key)) for each in difference.removed)),
    }
    written = {heading: "\n".join(lines) for heading, lines in sections.items()}
    return "\n\n".join(f"### {heading}\n\n{text}" for heading, text in written.items() if text)


def _pins(old: ReleaseRecord | None, new: ReleaseRecord) -> Iterator[str]:
    """Yield the versions that both name, and which differ."""
    if old is None:
        return
    before, after = _pinned(old), _pinned(new)
    for name in sorted(before.keys() & after.keys()):
        if before[name] != after[name]:
            yield f"- {name}: {before[name]} → {after[name]}"


def _pinned(record: ReleaseRecord) -> Mapping[str, str]:
    charts = {f"chart {chart.name}": chart.version for chart in record.charts}
    return {"Kubernetes": record.kubernetes, "gpuplane": record.tool_version, **charts}


def _by_component(objects: Iterable[tuple[PlacedObject, str]]) -> Mapping[str, Sequence[str]]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for placed, words in objects:
        grouped[placed.component].append(words)
    return grouped


def _lines(grouped: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for component, objects in sorted(grouped.items()):
        yield f"- **{component}**: {_some(objects, _MOST_OBJECTS)}"


def _changed(objects: Iterable[ChangedObject]) -> Iterator[tuple[PlacedObject, str]]:
    for each in objects:
        fields = _some([_field(change) for change in each.fields], _MOST_FIELDS)
        yield each.placed, f"{each.placed.key} ({fields})"


def _field(change: FieldChange) -> str:
    if is_multi_line(change):
        return f"`{change.path}`"
    old, new = (_shown(value) for value in (change.old, change.new))
    values = f": {old} → {new}" if len(old + new) < _MOST_CHARACTERS else ""
    return f"`{change.path}`{values}"


def _shown(value: object) -> str:
    return "nothing" if value is Absent.ABSENT else shown_value(value)


def _some(items: Sequence[str], most: int) -> str:
    rest = len(items) - most
    return ", ".join(items[:most]) + (f", and {rest} more" if rest > 0 else "")
