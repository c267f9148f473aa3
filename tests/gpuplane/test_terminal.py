"""Writing to people and to scripts."""

import pytest

from gpuplane.terminal import camel_case, new_table, print_json, print_styled, print_table, progress


def test_fields_of_reports_are_camel_case_in_json() -> None:
    fields = {"memory_gib": 1, "rdma_interfaces": 2, "name": 3}
    assert camel_case(fields) == {"memoryGib": 1, "rdmaInterfaces": 2, "name": 3}


def test_json_keeps_letters_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "Größe"})
    assert capsys.readouterr().out == '{\n  "name": "Größe"\n}\n'


def test_a_line_is_neither_wrapped_nor_read_as_markup(capsys: pytest.CaptureFixture[str]) -> None:
    line = "[red]" + "x" * 200
    print_styled(line, "green")
    assert capsys.readouterr().out == f"{line}\n"


def test_a_table_in_a_pipe_is_as_wide_as_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    table = new_table("Name")
    table.add_row("x" * 120)
    print_table(table)
    assert "x" * 120 in capsys.readouterr().out


def test_progress_is_silent_where_stderr_is_not_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress("rendering") as finished:
        finished("training")
    assert capsys.readouterr() == ("", "")
