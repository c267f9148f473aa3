"""Validating `dist/` against the schemas of the kinds in it, skipping nothing."""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gpuplane.versions.record import BESIDE, RECORD_FILE, read_record_file
from gpuplane.versions.swap import settled_paths
from gpuplane.versions.tree import DistError, unknown
from upstream.compile import load_documents
from upstream.compile_crds import KIND, compile_crd_documents
from upstream.kubeconform import Result, Status, run_kubeconform
from upstream.schema import to_json
from upstream.schema_files import write_schemas


@dataclass(frozen=True, slots=True)
class ValidationGroup:
    """What is validated against the same schemas, by one run of kubeconform."""

    kubernetes: str
    definitions: tuple[bytes, ...] = ()
    """CustomResourceDefinitions that a version of a cluster contains."""


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """The objects that were validated, and the faults found."""

    kinds: Mapping[tuple[str, str], int]
    """Objects by API version and kind, sorted by kind."""
    failures: tuple[Result, ...]
    versions: int
    """Versions of clusters that were validated."""
    beside: int
    """Objects that stand beside the versions, for Argo CD."""

    @property
    def objects(self) -> int:
        return sum(self.kinds.values())


def validate(
    dist: Path, names: Sequence[str] = (), progress: Callable[[str], None] = lambda _: None
) -> ValidationReport:
    """Validate every rendered version of clusters; `progress` is called after each group.

    Without names these are all clusters, and what the fleet shares.

    Raises DistError for an unknown cluster and where nothing is rendered, UpstreamError where
    kubeconform cannot be run.
    """
    results: list[Result] = []
    folders: set[Path] = set()
    for group, paths in validation_groups(dist, names).items():
        results += _validated(group, paths)
        folders |= {path for path in paths if (path / RECORD_FILE).is_file()}
        progress(f"Kubernetes {group.kubernetes}")
    counted = Counter((result.api_version, result.kind) for result in results)
    return ValidationReport(
        kinds=dict(sorted(counted.items(), key=lambda item: item[0][::-1])),
        failures=tuple(sorted(one for one in results if one.status is not Status.VALID)),
        versions=len(folders),
        beside=sum(folders.isdisjoint(Path(one.file).parents) for one in results),
    )


def _validated(group: ValidationGroup, paths: Sequence[Path]) -> Iterator[Result]:
    """Yield the result of every object, and a failure for each file that holds none."""
    with _schemas(group.definitions) as schemas:
        report = run_kubeconform(paths, group.kubernetes, schemas, BESIDE)
    yield from report.results
    seen = {result.file for result in report.results}
    for path in paths:
        below = (file for file in path.rglob("*") if file.is_file() and file.name not in BESIDE)
        for file in map(str, [path] if path.is_file() else sorted(below)):
            if file not in seen:
                yield Result(file, "", "", "", Status.SKIPPED, "holds no Kubernetes object")


@contextmanager
def _schemas(definitions: Iterable[bytes]) -> Iterator[tuple[Path, ...]]:
    documents = [document for text in definitions for document in load_documents(text)]
    if not documents:
        yield ()
        return
    compiled = {path: to_json(one) for path, one in compile_crd_documents(documents).items()}
    with tempfile.TemporaryDirectory() as directory:
        write_schemas(compiled, Path(directory))
        yield (Path(directory),)


def validation_groups(dist: Path, names: Sequence[str]) -> Mapping[ValidationGroup, Sequence[Path]]:
    """Return the folders and files to validate, in groups, of these clusters; empty: of all.

    Raises DistError for an unknown cluster and where nothing is rendered.
    """
    records = _records(dist, names)
    groups: dict[ValidationGroup, list[Path]] = defaultdict(list)
    for folder, kubernetes in records.items():
        definitions = (file.read_bytes() for file in sorted(folder.glob(f"*/{KIND}.*.yaml")))
        groups[ValidationGroup(kubernetes, tuple(definitions))].append(folder)
    # What stands outside of the versions is read by an Argo CD of any of these clusters.
    minors = min(tuple(map(int, each.split("."))) for each in records.values())
    oldest = ValidationGroup(".".join(map(str, minors)))
    groups[oldest] += _outside(dist, names, records)
    return groups


def _records(dist: Path, names: Sequence[str]) -> dict[Path, str]:
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
