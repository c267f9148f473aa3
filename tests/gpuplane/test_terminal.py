"""Writing to people and to programs."""

import os
import subprocess
import sys

import pytest

from gpuplane.terminal import print_styled, progress


@pytest.mark.parametrize("line", ["[red]" + "x" * 200, "arn:x:b: 3"])
def test_a_line_is_printed_as_it_is(capsys: pytest.CaptureFixture[str], line: str) -> None:
    print_styled(line, "green")
    assert capsys.readouterr().out == f"{line}\n"


def test_a_line_orders_a_terminal_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_styled("Job \x1b[2J")
    assert capsys.readouterr().out == "Job \\x1b[2J\n"


def test_progress_is_silent_where_stderr_is_not_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress("rendering") as finished:
        finished("training")
    assert capsys.readouterr() == ("", "")


def test_a_document_is_utf_8_in_any_encoding() -> None:
    code = "from gpuplane.terminal import print_document; print_document('Größe\\n')"
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=ascii_only, capture_output=True, check=True)
    assert done.stdout.decode() == "Größe\n"
