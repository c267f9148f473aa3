"""How long `gpuplane lint` takes beside `ruff check` and kubeconform on as many files.

Run by `python -m benchmarks.lint`. The manifests are the examples under names of their own, which
differ in each round, so that none was seen before; ruff reads modules of gpuplane. A ratio is that
of what two runs of the same round take of processors, so that a busy machine slows down both.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from upstream.kubeconform import find_kubeconform
from upstream.schema_files import CRDS, committed_schemas, core_folder

ROOT = Path(__file__).parents[1]
FILES = (1, 1000)
ROUNDS = 3
_LAYOUT = "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
_NOTHING = "gpuplane lint --no-cache"
_SETTINGS, _ALL = "gpuplane lint, clusters kept", "gpuplane lint, findings kept"
_RUFF, _KUBECONFORM = "ruff check", "kubeconform"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run of a command, from its start to its end."""

    seconds: float
    cpu: float
    """Seconds that processors spent on it."""


def main() -> None:
    table = Table("files", "command", "seconds", "of a processor", "x ruff", "x kubeconform")
    for files in FILES:
        rounds = _rounds(files)
        for name in (_NOTHING, _SETTINGS, _ALL, _RUFF, _KUBECONFORM):
            seconds = statistics.median(each[name].seconds for each in rounds)
            cpu = statistics.median(each[name].cpu for each in rounds)
            ratios = [
                statistics.median(each[name].cpu / each[other].cpu for each in rounds)
                for other in (_RUFF, _KUBECONFORM)
            ]
            table.add_row(
                str(files),
                name,
                f"{seconds:.2f}",
                f"{cpu:.2f}",
                *(f"{ratio:.1f}" for ratio in ratios),
            )
    Console().print(table)


def _rounds(files: int) -> list[Mapping[str, Measurement]]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _write(folder / "modules", sorted((ROOT / "policies").rglob("*.py")), files, 0)
        return [_round(folder, files, number) for number in range(ROUNDS + 1)][1:]


def _round(folder: Path, files: int, number: int) -> Mapping[str, Measurement]:
    """Return how long each command takes; the first round makes what the others find kept."""
    _write(folder / "manifests", sorted((ROOT / "examples").glob("*.yaml")), files, number)
    return {
        _SETTINGS: _measure(_lint(folder), folder),
        _ALL: _measure(_lint(folder), folder),
        _NOTHING: _measure([*_lint(folder), "--no-cache"], folder),
        _RUFF: _measure([_script("ruff"), "check", "--no-cache", "--quiet", "modules"], folder),
        _KUBECONFORM: _measure(_kubeconform(), folder),
    }


def _write(folder: Path, samples: Sequence[Path], count: int, number: int) -> None:
    folder.mkdir(exist_ok=True)
    for index, sample in enumerate(islice(cycle(samples), count)):
        name = f"  name: x{number}-{index}-"
        text = sample.read_text(encoding="utf-8").replace("  name: ", name, 1)
        (folder / f"f{index}{sample.suffix}").write_text(text, encoding="utf-8")


def _lint(folder: Path) -> list[str]:
    return [_script("gpuplane"), "-C", str(ROOT), "lint", str(folder / "manifests")]


def _kubeconform() -> list[str]:
    folders = [committed_schemas() / name for name in (CRDS, core_folder("1.36"))]
    locations = [f"-schema-location={folder}/{_LAYOUT}" for folder in folders]
    return [str(find_kubeconform()), "-ignore-missing-schemas", *locations, "manifests"]


def _script(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _measure(command: list[str], folder: Path) -> Measurement:
    # What is installed has its bytecode; without it, each run would compile all that it imports.
    own = {"GPUPLANE_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": ""}
    environment = {**os.environ, **own}
    start, before = time.perf_counter(), _seconds_of_children()
    # Both exit with 1 where they find something, as they do here.
    done = subprocess.run(  # noqa: S603 # the commands above
        command, cwd=folder, env=environment, capture_output=True, check=False
    )
    if done.returncode > 1:
        sys.exit(f"{command[0]}: {done.stderr.decode()}")
    return Measurement(time.perf_counter() - start, _seconds_of_children() - before)


def _seconds_of_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


if __name__ == "__main__":
    main()
