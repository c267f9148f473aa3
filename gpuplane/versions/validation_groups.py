"""What of `dist/` is validated against which schemas."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuplane.versions.dist_error import DistError, unknown
from gpuplane.versions.record import RECORD_FILE, read_record_file
from gpuplane.versions.swap import settled_paths
from upstream.compile_crds import KIND


@dataclass(frozen=True, slots=True)
class ValidationGroup:
    """What is validated against the same schemas, by one run of kubeconform."""

    kubernetes: str
    definitions: tuple[bytes, ...] = ()
    """CustomResourceDefinitions that a version of a cluster contains."""


def validation_groups(dist: Path, names: Sequence[str]) -> Mapping[ValidationGroup, Sequence[Path]]:
    """Return the folders and files to validate, in groups, of these clusters; empty: of all.

    Raises DistError for an unknown cluster and where nothing is rendered.
    """
    records = _records(dist, names)
    groups: dict[ValidationGroup, list[Path]] = defaultdict(list)
    for folder, kubernetes in records.items():
        groups[ValidationGroup(kubernetes, tuple(_definitions(folder)))].append(folder)
    # What stands outside of the versions is read by an Argo CD of any of these clusters.
    oldest = ValidationGroup(min(records.values(), key=_minor))
    groups[oldest] += _outside(dist, names, records)
    return groups


def _minor(kubernetes: str) -> tuple[int, ...]:
    return tuple(map(int, kubernetes.split(".")))


def _records(dist: Path, names: Sequence[str]) -> dict[Path, str]:
    """Return the Kubernetes version of each version's folder."""
    clusters = {path.name: sorted(path.glob(f"*/{RECORD_FILE}")) for path in settled_paths(dist)}
    rendered = {name: files for name, files in clusters.items() if files}
    if not rendered:
        raise DistError(f"{dist}: nothing is rendered; run gpuplane synth")
    for name in names:
        if name not in rendered:
            raise unknown("cluster", name, rendered, dist)
    wanted = names or rendered
    return {
        file.parent: read_record_file(file).kubernetes
        for name, files in rendered.items()
        if name in wanted
        for file in files
    }


def _outside(dist: Path, names: Sequence[str], records: Iterable[Path]) -> Iterator[Path]:
    """Yield what stands beside versions and, of all clusters together, what the fleet shares."""
    clusters = sorted({folder.parent for folder in records})
    for cluster in clusters:
        yield from sorted(cluster.glob("*.yaml"))
    if not names:
        yield from (path for path in settled_paths(dist) if path not in clusters)


def _definitions(folder: Path) -> Iterator[bytes]:
    for file in sorted(folder.glob(f"*/{KIND}.*.yaml")):
        yield file.read_bytes()
