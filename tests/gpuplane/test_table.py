"""Tables for people."""

import sys

import pytest

from gpuplane.table import add_row, new_table, print_table

CELLS = ("shared-memory", ":x: [red]")


@pytest.mark.parametrize("forced", ["", "1"])
def test_a_table_in_a_pipe_is_as_wide_as_it_needs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, forced: str
) -> None:
    monkeypatch.setenv("FORCE_COLOR", forced)
    table = new_table("Name")
    add_row(table, "x" * 120)
    print_table(table)
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
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
    printed: str,
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in (("COLUMNS", str(columns)), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    table = new_table("Rule", "Summary")
    add_row(table, *CELLS)
    print_table(table)
    assert capsys.readouterr().out.replace("\x1b[1m", "").replace("\x1b[0m", "") == printed


def test_a_cell_orders_neither_a_terminal_nor_a_runner(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = new_table("Name")
    add_row(table, "a\x1b[2J##[error]b")
    print_table(table)
    assert r"│ a\x1b[2J\x23#[error]b │" in capsys.readouterr().out
