import pytest

from gpuplane.lint.yaml_comments import YamlComment, marked_comments


def _comment(text: str, line: int, columns: tuple[int, int], field_line: int) -> YamlComment:
    return YamlComment(text, line, *columns, field_line, is_at_top=False)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("a: 1 # gpuplane: x y\n", (_comment("x y", 1, (6, 21), 1),)),
        ("a: 1\n# gpuplane: x\n\n# y\nb: 2\n", (_comment("x", 2, (1, 14), 5),)),
        ("a: 1\n#gpuplane:x\n---\nb: 2\n", (_comment("x", 2, (1, 12), 4),)),
        ("a: 1\n# gpuplane: x\n", (_comment("x", 2, (1, 14), 0),)),
        ("a: |  # gpuplane: x\n  text\n", (_comment("x", 1, (7, 20), 1),)),
        ("a: |\n  text\n# gpuplane: x\nb: 2\n", (_comment("x", 3, (1, 14), 4),)),
        ("a:\n  - {b: é} # gpuplane: x\n", (_comment("x", 2, (12, 25), 2),)),
        ("# gpuplane: x\na: 1\n", (YamlComment("x", 1, 1, 14, 2, is_at_top=True),)),
    ],
)
def test_a_comment_is_about_its_line_or_the_next_with_a_field(
    content: str, found: tuple[YamlComment, ...]
) -> None:
    assert marked_comments(content.encode()) == found


@pytest.mark.parametrize(
    "content",
    [
        "a: 1 # of something else\n",
        'a: "text # gpuplane: x"\n',
        "a: 'text\n  # gpuplane: x'\n",
        "a: |\n  # gpuplane: x\n  text\n",
        "a: >-\n  text # gpuplane: x\n",
        "a: text#gpuplane: x\n",
        "a: 'b # gpuplane: x\n",
        "a: b # gpuplane: x\n\t- c\n",
        "a: \xff # gpuplane: x\n",
        "",
    ],
)
def test_what_is_part_of_a_string_or_of_no_yaml_is_no_comment(content: str) -> None:
    assert marked_comments(content.encode("latin-1")) == ()


def test_many_comments_and_long_ones_are_read_in_linear_time() -> None:
    # Each comment was once held against every line and every string: minutes for these.
    lines = "a: b # gpuplane: x\n" * 10_000
    comments = marked_comments(f"{lines}# gpuplane: x{' ' * 50_000}y\n".encode())
    assert [each.field_line for each in comments] == [*range(1, 10_001), 0]


def test_blanks_behind_a_comment_are_no_part_of_its_text() -> None:
    assert marked_comments(b"a: 1 # gpuplane: x \t \n") == (_comment("x", 1, (6, 22), 1),)
