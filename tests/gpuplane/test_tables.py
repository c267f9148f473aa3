"""Tables and text, on a terminal and in Markdown."""

import sys

import pytest

from gpuplane.tables import Section, Table, code, escaped, fenced, print_table, to_markdown

CELLS = ("shared-memory", ":x: [red]")


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
        ("https://example.com/?a=1&b=2", "https://example.com/?a=1&b=2"),
        ("https://&commat;team", "https://&amp;commat;team"),
        ("https://a.example/&#64;team", "https://a.example/&amp;\\#64;team"),
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


@pytest.mark.parametrize("forced", ["", "1"])
def test_a_table_in_a_pipe_is_as_wide_as_it_needs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, forced: str
) -> None:
    monkeypatch.setenv("FORCE_COLOR", forced)
    print_table(Table(("Name",), (("x" * 120,),), words=1))
    assert "x" * 120 in capsys.readouterr().out


@pytest.mark.parametrize(
    ("columns", "printed"),
    [
        (20, "Rule: shared-memory\nSummary: :x: [red]\n\n"),
        (
            40,
            """\
┏━━━━━━━━━━━━━━━┳━━━━━━━━━━━┓
┃ Rule          ┃ Summary   ┃
┡━━━━━━━━━━━━━━━╇━━━━━━━━━━━┩
│ shared-memory │ :x: [red] │
└───────────────┴───────────┘
""",
        ),
    ],
)
def test_a_table_whose_words_do_not_fit_is_a_line_for_each_cell(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int, printed: str
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in (("COLUMNS", str(columns)), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    print_table(Table(("Rule", "Summary"), (CELLS,), words=2))
    assert capsys.readouterr().out.replace("\x1b[1m", "").replace("\x1b[0m", "") == printed


def test_a_cell_orders_neither_a_terminal_nor_a_runner(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table(("Name",), (("a\x1b[2J##[error]b",),), words=1))
    assert r"│ a\x1b[2J\x23#[error]b │" in capsys.readouterr().out
