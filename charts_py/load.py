"""From cluster files to platforms."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from charts_py.checks import find_problems
from charts_py.checks.allowed_here import allowed_here
from charts_py.checks.provider_settings import without_other_blocks
from charts_py.cluster_file.cluster_files import ClusterFiles
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, SpecError, mark_at
from charts_py.cluster_file.field_schema import allowed_at, spelled_out
from charts_py.cluster_file.parse import parse
from charts_py.cluster_file.source import Source, lay_over, read_source
from charts_py.cluster_file.translation import faults_of_fleet
from charts_py.components.registry import (
    component_checks,
    component_namespaces,
    contribution_of,
    watched_of,
    worker_checks,
)
from charts_py.platform.cluster_identity import identity_of, same_clusters
from charts_py.platform.draft import Draft, draft_cluster
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.providers.registry import PROVIDERS


def load_platform(file: Path, fleet: Path | None) -> Platform:
    """Read one cluster file over what the fleet shares; raise SpecError with every fault."""
    return platform_of(file, read_source(file, str(file)), read_fleet(fleet))


def load_platforms(files: ClusterFiles) -> tuple[Platform, ...]:
    """Read all cluster files; raise SpecError with every fault of every file."""
    clusters = ((file, read_source(file, str(file))) for file in files.clusters)
    return platforms_of(clusters, read_fleet(files.fleet), files.fleet)


def platforms_of(
    clusters: Iterable[tuple[Path, Source]], fleet: Source, fleet_file: Path | None
) -> tuple[Platform, ...]:
    """Return what was read of cluster files as platforms; raise SpecError with every fault."""
    platforms: list[Platform] = []
    faults: dict[Path, Sequence[Fault]] = {}
    sources = dict(clusters)
    for file, own in sources.items():
        faults[file] = ()
        try:
            platforms.append(platform_of(file, own, fleet, sources))
        except SpecError as error:
            faults[file] = error.faults
    if any(faults.values()):
        raise SpecError(faults_of_fleet(faults, fleet_file))
    if same := [fault for _, fault in same_clusters(map(identity_of, platforms))]:
        raise SpecError(same)
    return tuple(platforms)


def read_fleet(fleet: Path | None) -> Source:
    """Read what clusters share; nothing where there is no such file."""
    return read_source(fleet, str(fleet)) if fleet else Source({}, {})


def platform_of(
    file: Path, own: Source, fleet: Source, others: Mapping[Path, Source] | None = None
) -> Platform:
    """Return what was read of a cluster file over what the fleet shares, as a platform.

    `others` are the cluster files that were read already. Raises SpecError with every fault.
    """
    draft, source = _read_draft(file, own, fleet)
    workers = tuple(_workers(draft, fleet, others or {}))
    problems = [problem for check in worker_checks() for problem in check(draft, workers)]
    if problems:
        raise SpecError(Fault(mark_at(each.path, source.marks), each) for each in problems)
    return _platform(draft, source.marks, workers)


def _read_draft(file: Path, own: Source, fleet: Source) -> tuple[Draft, Source]:
    """Return the draft of a cluster, and what it was read from; raise SpecError."""
    if own.content == {}:
        problem = Problem((), "the file is empty", allowed_at(()))
        raise SpecError([*fleet.faults, Fault(own.marks[()], problem)])
    source = lay_over(_spelled_out(fleet), _spelled_out(own))
    if source.content is None:
        raise SpecError(source.faults)
    draft, problems = draft_of(file, source.content, source.numbers)
    if problems or source.faults:
        # A value that is wrong as it is written has no other fault beside that.
        reported = {(fault.mark, fault.problem.path) for fault in source.faults}
        found = [_fault(problem, draft, source.marks, own.marks[()].file) for problem in problems]
        further = (each for each in found if (each.mark, each.problem.path) not in reported)
        raise SpecError([*source.faults, *further])
    return draft, source


def _fault(problem: Problem, draft: Draft, marks: Mapping[FieldPath, Mark], file: str) -> Fault:
    """Return the fault of a problem; what the fleet's file allows is not one provider's."""
    mark = mark_at(problem.path, marks)
    return Fault(mark, allowed_here(problem, draft) if mark.file == file else problem)


def _spelled_out(source: Source) -> Source:
    return replace(source, content=spelled_out(source.content))


def _workers(manager: Draft, fleet: Source, others: Mapping[Path, Source]) -> Iterator[Platform]:
    """Yield the clusters that run jobs for one, as if they had no workers themselves."""
    multi_kueue = manager.cluster.multi_kueue
    if multi_kueue is None or not multi_kueue.is_manager(manager.name):
        return
    for name in multi_kueue.workers:
        file = manager.directory / f"{name}.yaml"
        own = others[file] if file in others else read_source(file, str(file))
        draft, source = _read_draft(file, own, fleet)
        yield _platform(draft, source.marks)


def draft_of(
    file: Path, content: Mapping[str, Any], numbers: Mapping[FieldPath, str] | None = None
) -> tuple[Draft, tuple[Problem, ...]]:
    """Return what could be read of the content of a cluster file, and all that is wrong with it.

    `numbers` are those of the content as they are written.
    """
    content = spelled_out(content)
    parsed = parse(without_other_blocks(content), numbers)
    provider = PROVIDERS[parsed.cluster.provider]
    draft = draft_cluster(file, content, parsed, provider, component_namespaces())
    found = find_problems(draft, (provider.problems, *component_checks()))
    return draft, (*parsed.problems, *found)


def _platform(
    draft: Draft, marks: Mapping[FieldPath, Mark], workers: tuple[Platform, ...] = ()
) -> Platform:
    return Platform(
        name=draft.name,
        cluster=draft.cluster,
        provider=draft.provider,
        pools=tuple(
            PlatformPool(pool.name, pool.spec, pool.hardware, pool.facts, pool.max_pods)
            for pool in sorted(draft.pools, key=lambda pool: pool.name)
            if pool.hardware is not None and pool.facts is not None
        ),
        driver_owner=draft.driver_owner,
        directory=draft.directory,
        reserved_namespaces=draft.reserved_namespaces,
        marks=marks,
        contribute=contribution_of,
        watch=watched_of,
        workers=workers,
    )
