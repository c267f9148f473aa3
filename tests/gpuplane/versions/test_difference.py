"""Which objects differ."""

from charts_py.objects.document import ObjectKey
from gpuplane.versions.difference import (
    ObjectDifference,
    PlacedObject,
    VersionReader,
    changed_documents,
    diff_documents,
    objects_of,
)
from gpuplane.versions.tree import Tree

KEY = ObjectKey("", "Namespace", "", "research")
TEXT = b"apiVersion: v1\nkind: Namespace\nmetadata: {name: research}\n"


def diff_objects(old: Tree, new: Tree) -> ObjectDifference:
    return diff_documents(*changed_documents(old, new))


def test_an_object_that_moves_to_another_component_is_removed_and_added() -> None:
    assert diff_objects({"a/x.yaml": TEXT}, {"b/x.yaml": TEXT}) == ObjectDifference(
        added=(PlacedObject("b", KEY),), removed=(PlacedObject("a", KEY),)
    )


def test_another_name_of_the_file_is_no_change() -> None:
    assert not diff_objects({"a/x.yaml": TEXT}, {"a/y.yaml": TEXT})


def test_another_group_is_another_object() -> None:
    other = TEXT.replace(b"v1", b"example.com/v1")
    difference = diff_objects({"a/x.yaml": TEXT}, {"a/x.yaml": other})
    assert [placed.key.group for placed in (*difference.removed, *difference.added)] == [
        "",
        "example.com",
    ]


def test_another_version_of_the_group_is_a_field() -> None:
    (changed,) = diff_objects({"a/x.yaml": TEXT}, {"a/x.yaml": TEXT.replace(b"v1", b"v2")}).changed
    assert [field.path for field in changed.fields] == ["apiVersion"]


def test_what_differs_is_counted_in_words() -> None:
    placed = (PlacedObject("a", KEY),)
    assert str(ObjectDifference(added=placed * 2, removed=placed)) == "2 added, 1 removed"
    assert str(ObjectDifference()) == "no change"


def test_a_file_that_versions_have_in_common_is_read_once() -> None:
    reader = VersionReader()
    old = {"a/x.yaml": TEXT, "a/y.yaml": TEXT.replace(b"research", b"serving")}
    new = {"b/x.yaml": TEXT, "a/y.yaml": TEXT.replace(b"research", b"search")}
    before, after = reader.objects_of(old), reader.objects_of(new)
    assert (before, after) == (objects_of(old), objects_of(new))
    assert before[PlacedObject("a", KEY)] is after[PlacedObject("b", KEY)]
