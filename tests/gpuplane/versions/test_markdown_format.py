"""A difference as the summary of a pull request."""

from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.comparison import Subject, VersionDifference
from gpuplane.versions.difference import ChangedObject, ObjectDifference, PlacedObject
from gpuplane.versions.markdown_format import MAX_CHARACTERS, to_markdown

PLACED = PlacedObject("team", ObjectKey("", "ConfigMap", "research", "settings"))


def _difference(*fields: FieldChange, times: int = 1) -> VersionDifference:
    changed = ChangedObject(PLACED, fields)
    objects = ObjectDifference(changed=(changed,) * times)
    return VersionDifference("sample", Subject.LIVE, "1.0.0", "1.1.0", objects)


def test_no_change_is_said() -> None:
    difference = VersionDifference("sample", Subject.RENDERED, None, None, ObjectDifference())
    assert to_markdown(difference) == (
        "### sample: nothing → nothing\n\nWhat is rendered: no change.\n\n"
    )


def test_what_a_comparison_is_about_is_said() -> None:
    assert "\nWhat Argo CD syncs: 1 changed.\n" in to_markdown(_difference(FieldChange("a", 1, 2)))


def test_a_field_of_one_side_is_one_line() -> None:
    fields = (FieldChange("a", Absent.ABSENT, 1), FieldChange("b", None, Absent.ABSENT))
    page = to_markdown(_difference(*fields))
    assert "```diff\n+ a: 1\n- b: null\n```" in page


def test_a_fence_in_a_text_does_not_end_the_block() -> None:
    page = to_markdown(_difference(FieldChange("text", "```\na\n", "```\nb\n")))
    assert "\n````diff\n  text:\n@@ -1,2 +1,2 @@\n ```\n-a\n+b\n````\n" in page


def test_names_are_neither_markdown_nor_html() -> None:
    placed = PlacedObject("team", ObjectKey("", "ConfigMap", "", "`a`|<img>\n\n@team"))
    objects = ObjectDifference(added=(placed,), changed=(ChangedObject(placed, ()),))
    page = to_markdown(VersionDifference("a_[b](c)", Subject.NAMED, "`1`", None, objects))
    named = "<code>team: ConfigMap &#96;a&#96;&#124;&lt;img> @team</code>"
    assert page.startswith("### a\\_\\[b\\](c): <code>&#96;1&#96;</code> → nothing\n")
    assert f"\n- {named}\n" in page
    assert f"<summary>changed: {named}</summary>" in page


def test_what_is_too_long_for_a_summary_is_counted() -> None:
    field = FieldChange("a", "x" * (MAX_CHARACTERS // 4), "y")
    page = to_markdown(_difference(field, times=10))
    assert len(page) < MAX_CHARACTERS
    assert page.endswith(
        "7 more changed objects are too long to show; `gpuplane diff` lists them.\n"
    )
