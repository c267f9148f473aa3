"""What admission changes in an object, line by line."""

from charts_py.objects.document import Document
from gpuplane.playground.answer import DiffLine
from gpuplane.playground.manifest_diff import manifest_diff


def test_a_change_is_shown_with_the_lines_around_it() -> None:
    before = dict.fromkeys("abcdefghi", "x")
    assert manifest_diff(before, {**before, "e": "z"}) == (
        *(DiffLine(" ", f"{name}: x") for name in "bcd"),
        DiffLine("-", "e: x"),
        DiffLine("+", "e: z"),
        *(DiffLine(" ", f"{name}: x") for name in "fgh"),
    )


def test_thousands_of_lines_that_repeat_are_compared_in_time() -> None:
    # Compared line by line with all that are alike, these took minutes.
    item: Document = {"kind": "Pod", "containers": [{"name": "a", "image": "x"}]}
    fixed: Document = {**item, "volumes": [{"name": "b", "emptyDir": {"medium": "Memory"}}]}
    lines = manifest_diff({"items": [item] * 1_000}, {"items": [fixed] * 1_000})
    assert sum(line.sign == "+" for line in lines) >= 4_000
