"""That the table knows every kind, and every field, that the example clusters emit."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from charts_py.components.registry import DEFINITIONS
from gpuplane.plan.effect import Change
from gpuplane.plan.effects.table import rows
from gpuplane.plan.fields import ChangedField, Segments
from gpuplane.plan.object_change import ClusterObjects, ObjectChange
from gpuplane.versions.comparison import VersionReader
from gpuplane.versions.tree import read_tree

ROOT = Path(__file__).parents[3]
DIST, CLUSTERS = ROOT / "dist", ROOT / "clusters"
IDENTITY = (("kind",), ("metadata", "name"), ("metadata", "namespace"))


@pytest.fixture(scope="module")
def emitted() -> ClusterObjects:
    """Return what any version of any cluster has, as some version has it: of each name once."""
    tree = {f"root/{file.name}": file.read_bytes() for file in DIST.glob("*/*.yaml")}
    for cluster in sorted(DIST.glob("*/")):
        for version in sorted(cluster.glob("*.*.*/")):
            tree |= read_tree(version)
    named = {
        (placed.key.kind, placed.key.name): (placed, document)
        for placed, document in VersionReader().objects_of(tree).items()
    }
    objects = dict(named.values())
    return ClusterObjects(objects, objects)


@pytest.mark.parametrize("change", [Change.ADDED, Change.REMOVED])
def test_each_emitted_kind_has_a_row_for_an_object_that_is_new_or_goes(
    emitted: ClusterObjects, change: Change
) -> None:
    unknown = set()
    for placed, document in emitted.after.items():
        before, after = (None, document) if change is Change.ADDED else (document, None)
        changed = ObjectChange(placed, before, after, emitted)
        if not any(row.is_about(changed) and not row.fields for row in rows()):
            unknown.add(changed.names)
    assert unknown == set()


def test_each_kind_that_a_chart_may_emit_has_a_row_for_an_object_that_goes() -> None:
    charts = {chart.name: chart for definition in DEFINITIONS for chart in definition.charts}
    kinds = {
        kind
        for chart in charts.values()
        for kind in (*chart.namespaced_kinds, *chart.namespaced_kinds_where, *chart.cluster_kinds)
    }
    known = {
        kind
        for kind in kinds
        for row in rows()
        if Change.REMOVED in row.changes and any(fnmatchcase(kind, each) for each in row.kinds)
    }
    assert kinds - known == set()


def test_each_emitted_field_has_a_row_for_another_value(emitted: ClusterObjects) -> None:
    unknown = set()
    for placed, document in emitted.after.items():
        changed = ObjectChange(placed, document, document, emitted)
        asked = [row for row in rows() if row.is_about(changed)]
        for segments, value in _fields(document, ()):
            field = ChangedField(segments, segments, ".".join(segments), value, "another")
            if segments not in IDENTITY and not any(row.covers(changed, field) for row in asked):
                unknown.add((placed.key.kind, field.path))
    assert unknown == set()


def _fields(value: Any, segments: Segments) -> Iterator[tuple[Segments, Any]]:
    if isinstance(value, dict) and value:
        for name, member in value.items():
            yield from _fields(member, (*segments, str(name)))
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for item in value:
            yield from _fields(item, segments)
    else:
        yield segments, value
