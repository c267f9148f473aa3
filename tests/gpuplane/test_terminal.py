"""Writing to people and to programs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from gpuplane.terminal import (
    commands_without_orders,
    json_without_orders,
    print_patch,
    print_styled,
    progress,
    without_orders,
    xml_without_orders,
)


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
    ("runner", "shown"), [("", PATCH), ("GITHUB_ACTIONS", " a: |\\x0d\n   \\x3a:error::\\x1b[2J\n")]
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


ORDER = "a ##[stop-commands]x ##VSO[task.setvariable variable=a]b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::a\n  ::add-mask::b", "\\x3a:error::a\n  \\x3a:add-mask::b"),
        ("a\r::error::b\r \t::c", "a\r\\x3a:error::b\r \t\\x3a:c"),
        ("a::b: ## c #[d]\n\n", "a::b: ## c #[d]\n\n"),
        (ORDER, r"a \x23#[stop-commands]x \x23#VSO[task.setvariable variable=a]b"),
    ],
)
def test_no_text_orders_a_runner_anything(text: str, shown: str) -> None:
    assert without_orders(text) == shown


def test_commands_that_are_meant_stay() -> None:
    assert commands_without_orders("::error::##[error]a") == r"::error::\x23#[error]a"


def test_json_and_xml_mean_the_same_without_orders() -> None:
    written = (
        json_without_orders(json.dumps({"name": ORDER})),
        xml_without_orders(f"<a>{ORDER}</a>"),
    )
    assert not any("##" in text for text in written)
    assert json.loads(written[0])["name"] == ORDER
    assert fromstring(written[1]).text == ORDER  # noqa: S314 # its own


SHOWS = """
import sys
from pathlib import Path
from gpuplane.terminal import paged, print_text
with paged():
    print_text("one\\n")
"""


def test_a_pager_shows_what_goes_to_a_terminal(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    ours, theirs = os.openpty()
    environment = {**os.environ, "PAGER": f"tee {shown}", "TERM": "xterm"}
    command = [sys.executable, "-c", SHOWS]
    subprocess.run(command, check=True, stdout=theirs, env=environment)
    os.close(theirs)
    os.close(ours)
    assert shown.read_text(encoding="utf-8") == "one\n"


def test_no_pager_is_started_where_stdout_is_no_terminal() -> None:
    environment = {**os.environ, "PAGER": "false"}
    command = [sys.executable, "-c", SHOWS]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert done.stdout == "one\n"
