"""What a changelog says of a version by itself: what differs, by component."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeAlias

from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.difference import ChangedObject, ObjectDifference, PlacedObject
from gpuplane.versions.record import ReleaseRecord
from gpuplane.versions.values import is_multi_line, shown_value

_MOST_OBJECTS, _MOST_FIELDS, _MOST_CHARACTERS = 4, 2, 60
"""How many objects of a component are named, and fields of an object; more are counted."""

_Named: TypeAlias = tuple[PlacedObject, str]
"""An object, and what is said of it."""


def changelog_entry(
    old: ReleaseRecord | None, new: ReleaseRecord, difference: ObjectDifference
) -> str:
    """Return what differs between two versions, below the headings of https://keepachangelog.com."""
    sections = {
        "Added": _lines((each, str(each.key)) for each in difference.added),
        "Changed": chain(_pins(old, new), _lines(map(_changed, difference.changed))),
        "Removed": _lines((each, str(each.key)) for each in difference.removed),
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


def _lines(objects: Iterable[_Named]) -> Iterator[str]:
    """Yield a line for each component."""
    grouped: dict[str, list[_Named]] = defaultdict(list)
    for placed, words in objects:
        grouped[placed.component].append((placed, words))
    for component, found in sorted(grouped.items()):
        few = len(found) <= _MOST_OBJECTS
        words = ", ".join(words for _, words in found) if few else _counted(found)
        yield f"- **{component}**: {words}"


def _counted(objects: Iterable[_Named]) -> str:
    kinds = Counter(placed.key.kind for placed, _ in objects)
    return ", ".join(f"{kind} ({count})" for kind, count in sorted(kinds.items()))


def _changed(changed: ChangedObject) -> _Named:
    fields = ", ".join(map(_field, changed.fields[:_MOST_FIELDS]))
    rest = len(changed.fields) - _MOST_FIELDS
    more = f", and {rest} more" if rest > 0 else ""
    return changed.placed, f"{changed.placed.key} ({fields}{more})"


def _field(change: FieldChange) -> str:
    if is_multi_line(change):
        return f"`{change.path}`"
    old, new = (_shown(value) for value in (change.old, change.new))
    values = f": {old} → {new}" if len(old + new) < _MOST_CHARACTERS else ""
    return f"`{change.path}`{values}"


def _shown(value: object) -> str:
    return "nothing" if value is Absent.ABSENT else shown_value(value)
