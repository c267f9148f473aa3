"""Text in Markdown that stands for itself."""

import pytest

from gpuplane.tables import Section, Table, code, escaped, fenced, to_markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<script>", "&lt;script>"),
        ("a\nb", "a b"),
        ("a\x1b[2J", r"a\\x1b\[2J"),
        ("[a](https://example.com)", r"\[a\](https://example.com)"),
        ("`x` *y* _z_", r"\`x\` \*y\* \_z\_"),
        ("ask @team, or a@example.com", "ask @&#8203;team, or a@example.com"),
        ("https://example.com/a|b", r"https://example.com/a\|b"),
        ("https://example.com/@team", "https://example.com/@&#8203;team"),
        ("see https://example.com/a_b.go, now_", r"see https://example.com/a_b.go, now\_"),
    ],
)
def test_text_stands_for_itself(text: str, shown: str) -> None:
    assert escaped(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b</code>\n", "a&#124;b&lt;/code>"),
        ("~ Job/a_b: containers[name=main].image", "~ Job/a_b: containers[name=main].image"),
        ("[a](javascript:b)", "[a&#93;(javascript:b)"),
        ("~a~ *b* _c_ `d` \\", "&#126;a~ &#42;b&#42; &#95;c&#95; &#96;d&#96; &#92;"),
        ("a\n\n<img>\x1b", r"a &lt;img>&#92;x1b"),
    ],
)
def test_code_ends_no_cell_and_no_tag_and_is_no_markdown(text: str, shown: str) -> None:
    assert code(text) == f"<code>{shown}</code>"


@pytest.mark.parametrize(("text", "fence"), [("a", "```"), ("```\na", "````"), ("`````", "``````")])
def test_no_text_ends_its_fence(text: str, fence: str) -> None:
    assert fenced(text, "yaml") == f"{fence}yaml\n{text}\n{fence}"


def test_numbers_are_to_the_right_and_notes_are_a_paragraph_and_a_list() -> None:
    table = Table(("Pool", "GPUs"), (("h100", "8"),), words=1)
    assert to_markdown(Section("Pools", [table], ["All of them.", "one", "two"])) == (
        """\
### Pools

| Pool | GPUs |
|---|---:|
| h100 | 8 |

All of them.

- one
- two
"""
    )


def test_a_text_stays_within_its_cell_and_is_no_element() -> None:
    table = Table(("Reason",), (("a | b \\ c\nd <img>",),), words=1)
    lines = to_markdown(Section("Exceptions", [table], [""])).splitlines()
    assert lines[4] == "| a \\| b \\\\ c d &lt;img> |"
