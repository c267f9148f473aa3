"""The pins of foreign files: `lock.yaml`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

import yaml


class UpstreamError(Exception):
    """A pin, a foreign file, a schema or a tool is missing or wrong; the message is complete."""


LOCK_FILE = "lock.yaml"
_SOURCE_FIELDS = frozenset({"repository", "version", "commit", "files"})
_FILE_FIELDS = frozenset({"path", "sha256"})
_KIND_FIELDS = frozenset({"api_version", "kind"})
_CHART_FIELDS = frozenset({"chart", "chart_version"})
_RELEASED_CHART_FIELDS = _CHART_FIELDS | {"app_version"}


@dataclass(frozen=True, slots=True)
class LockedFile:
    """One foreign file: its place in a mirror, where it comes from, and its digest."""

    file: str
    repository: str
    """The GitHub repository as `owner/name`."""
    version: str
    commit: str
    path: str
    """Its path in its repository."""
    sha256: str
    api_version: str | None = None
    """The kind that a JSON schema describes; None for other files."""
    kind: str | None = None
    chart: str | None = None
    """The Helm chart that a Chart.yaml is of; None for other files."""
    chart_version: str = ""
    """The version that its repository publishes; the file itself may hold a placeholder."""
    app_version: str | None = None
    """Likewise the version of what the chart installs; None where the file says it."""

    @property
    def folder(self) -> PurePosixPath:
        """Where it stands in a mirror, beside the rest of a chart or a folder."""
        return PurePosixPath(self.file).parent


@cache
def committed_lock() -> tuple[LockedFile, ...]:
    return parse_lock((files("upstream") / LOCK_FILE).read_text("utf-8"), f"upstream/{LOCK_FILE}")


def locked_chart(chart: str) -> LockedFile:
    """Return the pinned Chart.yaml of a Helm chart; raise UpstreamError where there is none."""
    for locked in committed_lock():
        if locked.chart == chart:
            return locked
    raise UpstreamError(f"upstream/{LOCK_FILE}: the chart {chart} is not pinned")


@dataclass(frozen=True, slots=True)
class LockedFolder:
    """A folder of a repository; its pinned files all stand side by side in a mirror."""

    repository: str
    """The GitHub repository as `owner/name`."""
    version: str
    commit: str
    path: str
    """Its path in its repository."""
    files: tuple[LockedFile, ...]


def locked_folder(folder: str) -> LockedFolder:
    """Return the pin of a folder of a mirror; raise UpstreamError where there is none."""
    place = PurePosixPath(folder)
    found = tuple(each for each in committed_lock() if each.folder == place)
    origins = {
        (each.repository, each.version, each.commit, str(PurePosixPath(each.path).parent))
        for each in found
    }
    if len(origins) != 1:
        raise UpstreamError(f"upstream/{LOCK_FILE}: {folder} is pinned from {len(origins)} places")
    (origin,) = origins
    return LockedFolder(*origin, found)


def parse_lock(text: str, name: str) -> tuple[LockedFile, ...]:
    """Return the entries of a lock file's text; errors call the file `name`."""
    try:
        sources = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise UpstreamError(f"{name}: invalid YAML: {error}") from error
    if not isinstance(sources, list):
        raise UpstreamError(f"{name}: is not a list of sources")
    faults = [fault for source in sources for fault in _faults(source)]
    faults += [] if faults else _duplicates(sources)
    if faults:
        raise UpstreamError("\n".join(f"{name}: {fault}" for fault in faults))
    return tuple(entry for source in sources for entry in _entries(source))


def _entries(source: Mapping[str, Any]) -> Iterator[LockedFile]:
    origin = {key: source[key] for key in ("repository", "version", "commit")}
    for file, fields in source["files"].items():
        yield LockedFile(file=file, **origin, **fields)


def _faults(source: Any) -> Iterator[str]:
    if not isinstance(source, Mapping) or set(source) != _SOURCE_FIELDS:
        yield f"{_origin(source)}: a source has the fields {_listed(_SOURCE_FIELDS)}"
        return
    if wrong := _not_strings(source, _SOURCE_FIELDS - {"files"}):
        yield f"{_origin(source)}: {wrong} must be a string"
    if not isinstance(source["files"], Mapping):
        yield f"{_origin(source)}: files is not a mapping from a file to its path and sha256"
        return
    for file, fields in source["files"].items():
        yield from _file_faults(file, fields)


def _file_faults(file: str, fields: Any) -> Iterator[str]:
    if not isinstance(fields, Mapping) or set(fields) not in (
        _FILE_FIELDS,
        _FILE_FIELDS | _KIND_FIELDS,
        _FILE_FIELDS | _CHART_FIELDS,
        _FILE_FIELDS | _RELEASED_CHART_FIELDS,
    ):
        yield (
            f"{file}: a file has the fields {_listed(_FILE_FIELDS)}, "
            f"a JSON schema also {_listed(_KIND_FIELDS)}, a chart also {_listed(_CHART_FIELDS)} "
            f"and maybe {_listed(_RELEASED_CHART_FIELDS - _CHART_FIELDS)}"
        )
    elif wrong := _not_strings(fields, fields):
        yield f"{file}: {wrong} must be a string"
    place = PurePosixPath(file)
    if place.is_absolute() or ".." in place.parts:
        yield f"{file}: a file must be inside the mirror: no leading / and no .."


def _duplicates(sources: list[Mapping[str, Any]]) -> list[str]:
    counts = Counter(file for source in sources for file in source["files"])
    return [f"{file}: is listed {count} times" for file, count in counts.items() if count > 1]


def _origin(source: Any) -> str:
    return str(source.get("repository", source)) if isinstance(source, Mapping) else str(source)


def _not_strings(fields: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the names of the fields that are not strings, such as an unquoted 1.2."""
    return _listed(name for name in names if not isinstance(fields[name], str))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
