"""Formatting a difference for scripts."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.comparison import VersionDifference
from gpuplane.versions.difference import PlacedObject


def to_json(differences: Iterable[VersionDifference]) -> list[dict[str, Any]]:
    """Return the comparisons as JSON holds them."""
    return [
        {
            "cluster": difference.cluster,
            "subject": difference.subject.value,
            "old": difference.old,
            "new": difference.new,
            "added": [_placed(placed) for placed in difference.objects.added],
            "removed": [_placed(placed) for placed in difference.objects.removed],
            "changed": [
                {**_placed(changed.placed), "fields": [_field(field) for field in changed.fields]}
                for changed in difference.objects.changed
            ],
        }
        for difference in differences
    ]


def _placed(placed: PlacedObject) -> dict[str, Any]:
    return {"component": placed.component, **asdict(placed.key)}


def _field(change: FieldChange) -> dict[str, Any]:
    """Return a change; the side where the field is absent has no key."""
    sides = {"old": change.old, "new": change.new}
    return {
        "path": change.path,
        **{name: value for name, value in sides.items() if value is not Absent.ABSENT},
    }
