"""What a changelog says of a version by itself."""

from dataclasses import replace

from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from charts_py.rendering.rendering import PinnedChart
from gpuplane.release.changelog_entry import changelog_entry
from gpuplane.versions.difference import ChangedObject, ObjectDifference, PlacedObject
from tests.gpuplane.release.test_chain import OLD


def _placed(component: str, kind: str, name: str) -> PlacedObject:
    return PlacedObject(component, ObjectKey("", kind, "", name))


QUOTA = _placed("team-research", "ResourceQuota", "quota")


def test_what_differs_is_told_by_component() -> None:
    charts = (PinnedChart("kueue", "0.19.0", "https://example.com"),)
    new = replace(OLD, version="1.1.0", kubernetes="1.37", charts=charts)
    many = tuple(_placed("roles", "ClusterRole", str(number)) for number in range(5))
    fields = (
        FieldChange("spec.a", 1, 2),
        FieldChange("spec.b", Absent.ABSENT, "x" * 60),
        FieldChange("spec.c", 1, 2),
    )
    difference = ObjectDifference(
        added=(*many, _placed("roles", "Role", "a"), _placed("namespaces", "Namespace", "b")),
        removed=(_placed("namespaces", "Namespace", "c"), _placed("namespaces", "Namespace", "d")),
        changed=(ChangedObject(QUOTA, fields),),
    )
    assert changelog_entry(OLD, new, difference).splitlines() == [
        "### Added",
        "",
        "- **namespaces**: Namespace b",
        "- **roles**: ClusterRole (5), Role (1)",
        "",
        "### Changed",
        "",
        "- Kubernetes: 1.36 → 1.37",
        "- chart kueue: 0.18.0 → 0.19.0",
        "- **team-research**: ResourceQuota quota (`spec.a`: 1 → 2, `spec.b`, and 1 more)",
        "",
        "### Removed",
        "",
        "- **namespaces**: Namespace c, Namespace d",
    ]


def test_of_a_first_version_everything_is_added() -> None:
    assert changelog_entry(None, OLD, ObjectDifference(added=(QUOTA,))) == (
        "### Added\n\n- **team-research**: ResourceQuota quota"
    )
