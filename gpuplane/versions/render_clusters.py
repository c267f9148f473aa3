"""Rendering many clusters, on all processors."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TypeAlias

from charts_py.cluster_file.fault import Fault, SpecError
from charts_py.cluster_file.fleet_faults import faults_of_fleet
from gpuplane.versions.rendering import RenderedCluster, Sources, render_cluster

MAX_SEQUENTIAL = 12
"""Up to here one process is faster: a second one starts Python, cdk8s and Node again."""

CLUSTERS_PER_PROCESS = 25
"""After this many the processes are replaced, since Node keeps every object that it is given."""

_Outcome: TypeAlias = tuple[Path, RenderedCluster | SpecError]


def render_clusters(
    files: Sequence[Path], sources: Sources, progress: Callable[[str], None]
) -> tuple[RenderedCluster, ...]:
    """Render cluster files, in their order; `progress` is called with each finished name.

    Raises SpecError with the faults of all files, or the first RenderError or DistError.
    """
    render = _sequentially if len(files) <= MAX_SEQUENTIAL else _in_parallel
    outcomes = render(files, sources)
    return _collected(files, outcomes, sources.fleet, progress)


def _collected(
    files: Sequence[Path],
    outcomes: Iterable[_Outcome],
    fleet: Path | None,
    progress: Callable[[str], None],
) -> tuple[RenderedCluster, ...]:
    rendered: dict[Path, RenderedCluster] = {}
    faults: dict[Path, Sequence[Fault]] = dict.fromkeys(files, ())
    for file, outcome in outcomes:
        if isinstance(outcome, SpecError):
            faults[file] = outcome.faults
        else:
            rendered[file] = outcome
        progress(file.stem)
    if any(faults.values()):
        raise SpecError(faults_of_fleet(faults, fleet))
    return tuple(rendered[file] for file in files)


def _sequentially(files: Iterable[Path], sources: Sources) -> Iterator[_Outcome]:
    for file in files:
        yield file, _outcome(file, sources)


def _in_parallel(files: Sequence[Path], sources: Sources) -> Iterator[_Outcome]:
    processes = os.cpu_count() or 1
    # The executor's own max_tasks_per_child can hang: https://github.com/python/cpython/issues/115634
    for first in range(0, len(files), batch := CLUSTERS_PER_PROCESS * processes):
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
            pending = {pool.submit(_outcome, f, sources): f for f in files[first : first + batch]}
            for future in as_completed(pending):
                yield pending[future], future.result()


def _outcome(file: Path, sources: Sources) -> RenderedCluster | SpecError:
    try:
        return render_cluster(file, sources)
    except SpecError as error:
        return error
