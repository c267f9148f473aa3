"""The entry point, on whatever terminal it runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpuplane.__main__ import main

ROOT = Path(__file__).parents[2]
GPUPLANE = f"{sys.executable} -m gpuplane -C {ROOT}"
SPEC = '{"containers": []}'
POD = f'{{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "größe"}}, "spec": {SPEC}}}'


def _shell(command: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line, in which `gpuplane` is this one."""
    return subprocess.run(
        ["bash", "-c", f'gpuplane() {{ {GPUPLANE} "$@"; }}; {command}'],
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_an_interrupt_has_the_exit_code_of_shells_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gpuplane.application.create_application", interrupt)
    with pytest.raises(SystemExit) as exited:
        main()
    assert exited.value.code == 130


def test_a_traceback_orders_neither_a_terminal_nor_a_ci_runner_anything(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise RuntimeError("a/b\n::error::pwned\n##[error]x \x1b[31mred")

    monkeypatch.setattr("gpuplane.application.create_application", fail)
    with pytest.raises(SystemExit) as exited:
        main()
    told = capfd.readouterr()
    assert (exited.value.code, told.out) == (1, "")
    assert told.err.splitlines()[0] == "Traceback (most recent call last):"
    assert told.err.endswith(
        "\nRuntimeError: a/b\n\\x3a:error::pwned\n\\x23#[error]x \\x1b[31mred\n"
    )


@pytest.mark.parametrize("command", ["rules", "schema", "--help", "diff training -o markdown"])
def test_a_pipe_that_nobody_reads_is_no_traceback(command: str) -> None:
    read, written = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*GPUPLANE.split(), *command.split()],
        stdout=written,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(written)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    ("streams", "code", "stderr"),
    [
        ("<&-", 2, "-:1: no object; allowed: a mapping with apiVersion and kind\n"),
        ("<&- >&- 2>&-", 2, ""),
    ],
)
def test_closed_streams_are_no_traceback(streams: str, code: int, stderr: str) -> None:
    done = _shell(f"gpuplane admit - --cluster training {streams}")
    assert (done.returncode, done.stderr.decode()) == (code, stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has it")
def test_a_full_disk_is_the_machines_fault() -> None:
    done = _shell("gpuplane schema > /dev/full")
    assert (done.returncode, done.stderr) == (3, b"output: No space left on device\n")


@pytest.mark.parametrize(
    "terminal",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=lambda variables: next(iter(variables)),
)
def test_documents_are_utf_8_and_lines_have_what_the_terminal_lacks_replaced(
    terminal: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "pod.yaml"
    file.write_text(POD, encoding="utf-8")
    done = _shell(f"gpuplane admit {file} --cluster training --verbose", **terminal)
    assert done.returncode == 0
    assert "  name: größe\n" in done.stdout.decode()
    assert done.stderr.decode() == f"{file}:1: Pod gr??e: nothing found\n"


def test_a_terminal_of_40_columns_gets_whole_words() -> None:
    code = (
        "import sys; sys.stdout.isatty = lambda: True; sys.argv = ['gpuplane', 'hardware', 'T4'];"
        "from gpuplane.__main__ import main; main()"
    )
    narrow = {**os.environ, "COLUMNS": "40", "TERM": "xterm", "NO_COLOR": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=narrow, capture_output=True, check=True)
    assert done.stdout.decode() == (
        "GPU model: T4\nVendor: nvidia\nMemory: 15 GiB\nMPS: yes\nHost CPU: amd64\n"
        "Driver: 410 or later\n\n"
    )
