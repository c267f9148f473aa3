"""Writing to people and to programs."""

import os
import subprocess
import sys

import pytest

from gpuplane.terminal import print_patch, print_styled, progress


@pytest.mark.parametrize("line", ["[red]" + "x" * 200, "arn:x:b: 3"])
def test_a_line_is_printed_as_it_is(capsys: pytest.CaptureFixture[str], line: str) -> None:
    print_styled(line, "green")
    assert capsys.readouterr().out == f"{line}\n"


def test_a_line_orders_a_terminal_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_styled("Job \x1b[2J\u202e\t\x9b\n::error::a")
    shown = "Job \\x1b[2J\\xe2\\x80\\xae \\xc2\\x9b\n\\x3a:error::a\n"
    assert capsys.readouterr().out == shown


PATCH = " a: |\r\n   ::error::\x1b[2J\n"


@pytest.mark.parametrize(
    ("runner", "shown"),
    [("", PATCH), ("GITHUB_ACTIONS", " a: |\\x0d\n   \\x3a:error::\\x1b[2J\n")],
)
def test_a_patch_is_exact_but_in_the_log_of_a_runner(
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    runner: str,
    shown: str,
) -> None:
    for name in ("GITHUB_ACTIONS", "TF_BUILD"):
        monkeypatch.setenv(name, "true" if name == runner else "")
    monkeypatch.setattr("gpuplane.terminal._goes_to_file", lambda: False)
    print_patch(PATCH)
    assert capfdbinary.readouterr().out.decode() == shown


def test_progress_is_silent_where_stderr_is_not_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress("rendering") as finished:
        finished("training")
    assert capsys.readouterr() == ("", "")


def test_a_document_is_utf_8_in_any_encoding() -> None:
    code = "from gpuplane.terminal import print_document; print_document('Größe\\udcff\\n')"
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=ascii_only, capture_output=True, check=True)
    assert done.stdout.decode() == "Größe\\udcff\n"
