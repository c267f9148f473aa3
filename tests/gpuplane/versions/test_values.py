"""The change of one field, for people."""

import pytest

from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.values import changed_lines, is_multi_line, shown_value


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
