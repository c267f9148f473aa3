"""Validating `dist/` against the schemas of the kinds in it, skipping nothing."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gpuplane.versions.integrity import BESIDE
from gpuplane.versions.validation_groups import ValidationGroup, validation_groups
from upstream.compile import load_documents
from upstream.compile_crds import compile_crd_documents
from upstream.kubeconform import Result, Status, run_kubeconform
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


def validate(
    request: ValidationRequest, progress: Callable[[str], None] = lambda _: None
) -> ValidationReport:
    """Validate every rendered version of the clusters; `progress` is called after each group.

    Raises DistError for an unknown cluster and where nothing is rendered, UpstreamError where
    kubeconform cannot be run.
    """
    results: list[Result] = []
    for group, paths in validation_groups(request.dist, request.names).items():
        results += _validated(group, paths)
        progress(f"Kubernetes {group.kubernetes}")
    counted = Counter((result.api_version, result.kind) for result in results)
    return ValidationReport(
        kinds=dict(sorted(counted.items(), key=lambda item: item[0][::-1])),
        failures=tuple(sorted(one for one in results if one.status is not Status.VALID)),
    )


def _manifests(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and file.name not in BESIDE)


def _validated(group: ValidationGroup, paths: Sequence[Path]) -> Iterator[Result]:
    """Yield the result of every object, and a failure for each file that holds none."""
    with _schemas(group.definitions) as schemas:
        report = run_kubeconform(paths, group.kubernetes, schemas, BESIDE)
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
