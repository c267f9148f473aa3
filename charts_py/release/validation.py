"""Validating `dist/` against the schemas of the kinds in it, nothing skipped."""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.release.dist import STAGING_PREFIX
from charts_py.release.dist_error import DistError, unknown
from charts_py.release.release_record import RECORD_FILE, read_record_file
from upstream.compile import load_documents
from upstream.compile_crds import KIND, compile_crd_documents
from upstream.kubeconform import run_kubeconform
from upstream.kubeconform_report import Result, Status
from upstream.schema import to_json
from upstream.schema_files import write_schemas


@dataclass(frozen=True, slots=True)
class ValidationRequest:
    """What to validate."""

    dist: Path
    names: tuple[str, ...] = ()
    """Clusters; empty: all of them, and what the fleet shares."""


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """What was validated, and what is wrong with it."""

    kinds: Mapping[tuple[str, str], int]
    """Objects by API version and kind, sorted by kind."""
    failures: tuple[Result, ...]

    @property
    def objects(self) -> int:
        """How many there are."""
        return sum(self.kinds.values())


@dataclass(frozen=True, slots=True)
class _Group:
    """What is validated alike; kubeconform starts once for it."""

    kubernetes: str
    definitions: tuple[bytes, ...] = ()
    """CustomResourceDefinitions that a version of a cluster brings itself."""


def validate(
    request: ValidationRequest, progress: Callable[[str], None] = lambda _: None
) -> ValidationReport:
    """Validate every rendered version of the clusters; `progress` hears each finished group.

    Raises DistError for an unknown cluster and where nothing is rendered, UpstreamError where
    kubeconform cannot be run.
    """
    results: list[Result] = []
    for group, paths in _groups(request).items():
        results += _validated(group, paths)
        progress(f"Kubernetes {group.kubernetes}")
    counted = Counter((result.api_version, result.kind) for result in results)
    return ValidationReport(
        kinds=dict(sorted(counted.items(), key=lambda item: item[0][::-1])),
        failures=tuple(sorted(one for one in results if one.status is not Status.VALID)),
    )


def _groups(request: ValidationRequest) -> Mapping[_Group, Sequence[Path]]:
    """Return the folders and files to validate, in groups."""
    records = _records(request)
    groups: dict[_Group, list[Path]] = defaultdict(list)
    for folder, kubernetes in records.items():
        groups[_Group(kubernetes, tuple(_definitions(folder)))].append(folder)
    # What stands outside of the versions is read by an Argo CD of any of these clusters.
    oldest = _Group(min(records.values(), key=_minor))
    groups[oldest] += _outside(request, records)
    return groups


def _minor(kubernetes: str) -> tuple[int, ...]:
    return tuple(map(int, kubernetes.split(".")))


def _records(request: ValidationRequest) -> dict[Path, str]:
    """Return the Kubernetes version of each version's folder."""
    found = {file.parent: file for file in sorted(request.dist.glob(f"*/*/{RECORD_FILE}"))}
    found = {k: v for k, v in found.items() if not k.parent.name.startswith(STAGING_PREFIX)}
    if not found:
        raise DistError(f"{request.dist}: nothing is rendered; run gpuplane synth")
    clusters = sorted({folder.parent.name for folder in found})
    for name in request.names:
        if name not in clusters:
            raise unknown("cluster", name, clusters, request.dist)
    wanted = request.names or clusters
    return {
        folder: read_record_file(file).kubernetes
        for folder, file in found.items()
        if folder.parent.name in wanted
    }


def _outside(request: ValidationRequest, records: Iterable[Path]) -> Iterator[Path]:
    """Yield what stands beside versions and, of all clusters together, what the fleet shares."""
    clusters = sorted({folder.parent for folder in records})
    for cluster in clusters:
        yield from sorted(cluster.glob("*.yaml"))
    if not request.names:
        yield from sorted(
            path
            for path in request.dist.glob("*")
            if path not in clusters and not path.name.startswith(STAGING_PREFIX)
        )


def _manifests(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and file.name != RECORD_FILE)


def _definitions(folder: Path) -> Iterator[bytes]:
    for file in sorted(folder.glob(f"*/{KIND}.*.yaml")):
        yield file.read_bytes()


def _validated(group: _Group, paths: Sequence[Path]) -> Iterator[Result]:
    """Yield the result of every object, and a failure for each file that holds none."""
    with _schemas(group.definitions) as schemas:
        report = run_kubeconform(paths, group.kubernetes, schemas, (RECORD_FILE,))
    yield from report.results
    seen = {result.file for result in report.results}
    for file in (str(file) for path in paths for file in _manifests(path)):
        if file not in seen:
            yield Result(file, "", "", "", Status.SKIPPED, "holds no Kubernetes object")


@contextmanager
def _schemas(definitions: Iterable[bytes]) -> Iterator[tuple[Path, ...]]:
    """Yield a folder with the schemas of definitions, for as long as it is needed."""
    documents = [document for text in definitions for document in load_documents(text)]
    if not documents:
        yield ()
        return
    compiled = {path: to_json(one) for path, one in compile_crd_documents(documents).items()}
    with tempfile.TemporaryDirectory() as directory:
        write_schemas(compiled, Path(directory))
        yield (Path(directory),)
