"""The change of one field, for people."""

import pytest

from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.comparison import (
    ChangedObject,
    ObjectDifference,
    PlacedObject,
    Subject,
    VersionDifference,
)
from gpuplane.versions.difference_format import (
    MAX_CHARACTERS,
    changed_lines,
    is_multi_line,
    shown_value,
    to_markdown,
)


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("a\nb", "a", True),
        (Absent.ABSENT, "a\n", True),
        ("a", "b", False),
        ("a\n", 1, False),
        (1, Absent.ABSENT, False),
    ],
)
def test_text_of_lines_is_text_on_every_side(old: object, new: object, answer: bool) -> None:
    assert is_multi_line(FieldChange("a", old, new)) is answer


def test_only_the_lines_around_a_change_are_shown() -> None:
    old = "".join(f"{number}\n" for number in range(20))
    lines = list(changed_lines(FieldChange("a", old, old.replace("10\n", "ten\n"))))
    assert lines == ["@@ -8,7 +8,7 @@", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"]


def test_a_line_break_at_the_end_counts() -> None:
    assert list(changed_lines(FieldChange("a", "x\ny\n", "x\ny"))) == [
        "@@ -1,2 +1,2 @@",
        " x",
        "-y",
        "+y (no newline at the end)",
    ]


def test_a_value_is_shown_as_json() -> None:
    assert shown_value({"name": "Größe", "on": True}) == '{"name": "Größe", "on": true}'


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
