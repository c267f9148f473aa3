"""Moving clusters to another version of a chart, in the files that say so."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from charts_py.cluster_file.cluster_files import SUFFIX, ClusterFiles, find_cluster_files
from charts_py.cluster_file.fault import Fault, SpecError
from charts_py.cluster_file.source import Source, source_of
from charts_py.components.chart_versions import FIELD, chart_version, older_charts
from charts_py.components.registry import known_charts
from charts_py.load import platforms_of, read_fleet
from charts_py.platform.platform import Platform
from gpuplane.edits.edited_text import DocumentEdit, edit_text
from gpuplane.versions.check import selected_platforms
from gpuplane.versions.tree import DistError, unknown
from gpuplane.written_files import diff_files, write_files
from policies.document import pointer, value_at
from policies.operation import Operation
from upstream.lock import locked_chart


@dataclass(frozen=True, slots=True)
class ChartBump:
    folder: Path
    chart: str
    version: str
    clusters: Mapping[str, str]
    """The clusters that install the chart, each with the version that it has now."""
    before: Mapping[Path, bytes]
    after: Mapping[Path, bytes]
    """The files that change."""
    warnings: tuple[Fault, ...]
    """What `synth` would warn of."""

    @property
    def moved(self) -> tuple[str, ...]:
        """The clusters that get another version."""
        return tuple(name for name, old in self.clusters.items() if old != self.version)

    def diff(self) -> Iterator[str]:
        return diff_files(self.folder, self.before, self.after)

    def write(self) -> None:
        write_files(self.folder, self.after, self.before)


def plan_bump(folder: Path, chart: str, version: str, names: Sequence[str]) -> ChartBump:
    """Return the bump for the named clusters, or for all by what the fleet shares.

    The version with which gpuplane was tested needs no field, and takes it out. Raises DistError
    for an unknown chart, for one that no cluster installs, and for a file that cannot be edited;
    SpecError where the files are wrong, before or afterwards.
    """
    if chart not in (charts := known_charts()):
        raise unknown("chart", chart, charts)
    platforms = selected_platforms(folder, names)
    installing = [each for each in platforms if chart in known_charts(each)]
    without = [name for name in names if name not in {each.name for each in installing}]
    if without or not installing:
        raise DistError(f"{chart} is not installed on {', '.join(without) or 'any cluster'}")
    found = find_cluster_files(folder)
    files = _files(folder, installing, None if names else found.fleet)
    before = {file: file.read_bytes() for file in files}
    # One cluster has to state the tested version where the fleet states another one.
    is_needed = version != locked_chart(chart).chart_version or (
        names and _shares(found.fleet, chart)
    )
    stated = version if is_needed else None
    after = {
        file: _with_version(file, content, chart, stated if place else None)
        for (file, place), content in zip(files.items(), before.values(), strict=True)
    }
    changed = {file: content for file, content in after.items() if content != before[file]}
    afterwards = _checked(found, changed)
    older = (fault for each in afterwards for fault in older_charts(each))
    return ChartBump(
        folder,
        chart,
        version,
        {each.name: chart_version(each.cluster, chart) for each in installing},
        {file: before[file] for file in changed},
        changed,
        tuple({_without_line(each): None for each in older if each.problem.path[-1] == chart}),
    )


def _files(folder: Path, installing: Sequence[Platform], fleet: Path | None) -> dict[Path, bool]:
    """Return the files to edit, each with whether it is to state the version.

    What the fleet shares gives it to all, and then no cluster file states its own.
    """
    own = {folder / f"{each.name}{SUFFIX}": fleet is None for each in installing}
    return own if fleet is None else {fleet: True, **own}


def _shares(fleet: Path | None, chart: str) -> bool:
    shared = read_fleet(fleet).content or {}
    return value_at(shared, (*FIELD, chart)) is not None


def _with_version(file: Path, content: bytes, chart: str, version: str | None) -> bytes:
    """Return a file that states the version of a chart; None for one that states none."""
    stated = source_of(content, str(file)).content or {}
    operations = [*_operations(stated, chart, version)]
    edited = edit_text(content.decode(), [DocumentEdit(0, tuple(operations))], yaml.CSafeLoader)
    if operations and edited.left:
        field = ".".join((*FIELD, chart))
        raise DistError(f"{file}: {field} cannot be written, since {edited.left[0].why}")
    return edited.text.encode()


def _operations(stated: Mapping[str, Any], chart: str, version: str | None) -> Iterator[Operation]:
    path: tuple[str, ...] = (*FIELD, chart)
    if version is not None:
        # From the first step that is not there yet, with all that is below it.
        depth = next((n for n in range(1, 3) if not value_at(stated, path[:n])), 3)
        value: object = version
        for step in reversed(path[depth:]):
            value = {step: value}
        is_there = value_at(stated, path[:depth]) is not None
        yield Operation("replace" if is_there else "add", pointer(*path[:depth]), value)
    elif value_at(stated, path) is not None:
        while len(path) > 1 and len(value_at(stated, path[:-1])) == 1:
            path = path[:-1]
        yield Operation("remove", pointer(*path))


def _checked(files: ClusterFiles, changed: Mapping[Path, bytes]) -> tuple[Platform, ...]:
    """Return the clusters with these changes; raise SpecError where they make files wrong."""

    def read(file: Path) -> Source:
        return source_of(changed[file] if file in changed else file.read_bytes(), str(file))

    fleet = read(files.fleet) if files.fleet else read_fleet(None)
    try:
        return platforms_of([(file, read(file)) for file in files.clusters], fleet, files.fleet)
    except SpecError as error:
        raise SpecError(map(_without_line, error.faults)) from error


def _without_line(fault: Fault) -> Fault:
    """Return a fault of the field without its line, which no file has yet."""
    is_new = fault.problem.path[: len(FIELD)] == FIELD
    return replace(fault, mark=fault.mark._replace(line=0, column=0)) if is_new else fault
