"""How long rendering takes, and how much memory: one cluster from a cold start, and growing fleets.

Run by `make bench-synth`. Fleets are copies of the example clusters under names of their own.
"""

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

COLD_STARTS = 5
FLEETS = (25, 50, 100)
SAMPLING_SECONDS = 0.25
CLUSTERS = Path(__file__).parents[1] / "clusters"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run of the command line, from its start to its end."""

    seconds: float
    peak_mib: float
    """Peak memory of the process and its children together, shared pages counted once (PSS)."""


def main() -> None:
    table = Table("run", "seconds", "seconds a cluster", "peak MiB")
    with _repository(CLUSTERS.glob("*.yaml"), copies=0) as directory:
        runs = [_measure(directory, "training") for _ in range(COLD_STARTS)]
    seconds = statistics.median(run.seconds for run in runs)
    peak = max(run.peak_mib for run in runs)
    name = f"one cluster, cold (median of {COLD_STARTS})"
    table.add_row(name, f"{seconds:.2f}", f"{seconds:.2f}", f"{peak:.0f}")
    shares: list[float] = []
    for clusters in FLEETS:
        with _repository(CLUSTERS.glob("*.yaml"), copies=clusters) as directory:
            run = _measure(directory)
        shares.append(run.seconds / clusters)
        cells = (f"{run.seconds:.2f}", f"{shares[-1]:.3f}", f"{run.peak_mib:.0f}")
        table.add_row(f"fleet of {clusters}", *cells)
    Console().print(table)
    growth = shares[-1] / shares[0]
    print(f"a cluster of {FLEETS[-1]} costs {growth:.2f} of a cluster of {FLEETS[0]}")  # noqa: T201 # the output


@contextmanager
def _repository(files: Iterator[Path], copies: int) -> Iterator[Path]:
    """Yield a platform repository with the example clusters, or with that many copies of them."""
    examples = sorted(files)
    with tempfile.TemporaryDirectory() as directory:
        clusters = Path(directory) / "clusters"
        shutil.copytree(CLUSTERS, clusters)
        named = [file for file in examples if file.name != "fleet.yaml"]
        for file in named:
            _without_live(clusters / file.name)
        for number, file in enumerate(islice(cycle(named), copies)):
            text = (clusters / file.name).read_text(encoding="utf-8")
            name = f"{file.stem}-{number}"
            # Each cluster has an API server of its own.
            renamed = text.replace(f"https://{file.stem}.", f"https://{name}.")
            (clusters / f"{name}.yaml").write_text(renamed, encoding="utf-8")
        if copies:
            for file in named:
                (clusters / file.name).unlink()
        yield Path(directory)


def _without_live(file: Path) -> None:
    """Let a cluster sync what it renders: the version that it names as live is not here."""
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"^live:.*\n", "", text, flags=re.MULTILINE), encoding="utf-8")


def _measure(directory: Path, *names: str) -> Measurement:
    start = time.perf_counter()
    command = [sys.executable, "-m", "gpuplane", "--directory", str(directory), "synth", *names]
    process = psutil.Popen(command, stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, _memory(process))
        time.sleep(SAMPLING_SECONDS)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    return Measurement(time.perf_counter() - start, peak / 2**20)


def _memory(process: psutil.Process) -> int:
    total = 0
    for member in (process, *process.children(recursive=True)):
        try:
            total += member.memory_full_info().pss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return total


if __name__ == "__main__":
    main()
