"""What a mistake in an emitted object leads to, over every kind that dist/ holds."""

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from gpuplane.versions.record import RECORD_FILE, read_record
from policies.document import value_at
from upstream.kubeconform import run_kubeconform
from upstream.schema import schema_path
from upstream.schema_files import CRDS, committed_schemas, core_folder

DIST = Path(__file__).parents[3] / "dist"

_Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One emitted object of a kind, thinned, with the schema that it is validated against."""

    document: Document
    kubernetes: str
    schema: Mapping[str, Any]


def _samples() -> dict[tuple[str, str], Sample]:
    """Return the object of each kind that has the most to get wrong: the longest."""
    longest: dict[tuple[str, str], tuple[str, str]] = {}
    for record in sorted(DIST.glob(f"*/*/{RECORD_FILE}")):
        kubernetes = read_record(record.read_bytes()).kubernetes
        for file in sorted(record.parent.rglob("*.yaml")):
            text = file.read_text(encoding="utf-8")
            kind = _kind(text)
            if kind not in longest or len(longest[kind][0]) < len(text):
                longest[kind] = (text, kubernetes)
    return {kind: _sample(kind, *found) for kind, found in sorted(longest.items())}


def _kind(text: str) -> tuple[str, str]:
    """Return API version and kind of an object, which begins with them; parsing all takes long."""
    api_version, kind, _ = text.split("\n", 2)
    return api_version.removeprefix("apiVersion: "), kind.removeprefix("kind: ")


def _sample(kind: tuple[str, str], text: str, kubernetes: str) -> Sample:
    (document,) = from_yaml(text)
    assert (document["apiVersion"], document["kind"]) == kind
    return Sample(_thinned(document), kubernetes, _schema(*kind, kubernetes))


def _thinned(value: Any) -> Any:
    """Return a value in which each list holds one item of those that have the same fields."""
    if isinstance(value, list):
        return [*{_shape(item): item for item in map(_thinned, value)}.values()]
    if isinstance(value, dict):
        return {key: _thinned(inner) for key, inner in value.items()}
    return value


def _shape(value: Any) -> object:
    """Return the names of a value's fields, at any depth."""
    if isinstance(value, list):
        return tuple(map(_shape, value))
    if isinstance(value, dict):
        return frozenset((key, _shape(inner)) for key, inner in value.items())
    return None


def _schema(api_version: str, kind: str, kubernetes: str) -> dict[str, Any]:
    path = schema_path(api_version, kind)
    folders = (CRDS, core_folder(kubernetes))
    file = next(f for f in (committed_schemas() / name / path for name in folders) if f.is_file())
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def _closed(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: _Steps = ()
) -> Iterator[tuple[_Steps, Mapping[str, Any]]]:
    """Yield every mapping of a document whose schema names all its fields."""
    while "$ref" in schema:
        schema = root["definitions"][schema["$ref"].removeprefix("#/definitions/")]
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _closed(item, schema.get("items", {}), root, (*at, index))
    if not isinstance(value, dict):
        return
    properties, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
    if rest is False:
        yield at, schema
    for key, inner in value.items():
        of_key = properties.get(key, rest if isinstance(rest, dict) else {})
        yield from _closed(inner, of_key, root, (*at, key))


def _mutants(sample: Sample) -> Iterator[tuple[str, Document]]:
    """Yield the object with one required field removed, or one field misspelled, at any depth."""
    for at, schema in _closed(sample.document, sample.schema, sample.schema):
        holder = value_at(sample.document, at)
        where = "/".join(map(str, at))
        for key in holder:
            misspelled = copy.deepcopy(sample.document)
            of_holder = value_at(misspelled, at)
            of_holder[f"{key}x"] = of_holder.pop(key)
            yield f"{where}/{key} misspelled", misspelled
        for key in schema.get("required", ()):
            incomplete = copy.deepcopy(sample.document)
            del value_at(incomplete, at)[key]
            yield f"{where}/{key} removed", incomplete


@pytest.fixture(scope="module")
def samples() -> dict[tuple[str, str], Sample]:
    return _samples()


def test_a_field_that_is_misspelled_or_missing_makes_validation_fail(
    samples: dict[tuple[str, str], Sample], tmp_path: Path
) -> None:
    mutants = {
        (sample.kubernetes, *kind, what): document
        for kind, sample in samples.items()
        for what, document in _mutants(sample)
    }
    removed = {place[1:3] for place in mutants if place[-1].endswith("removed")}
    assert removed == samples.keys()
    places = {tmp_path / f"{number}.json": place for number, place in enumerate(mutants)}
    for file, place in places.items():
        # JSON, of which YAML is a superset, takes less time to write.
        file.write_text(json.dumps(mutants[place]), encoding="utf-8")
    failed = {
        places[Path(result.file)]
        for version in {sample.kubernetes for sample in samples.values()}
        for result in run_kubeconform(
            [file for file, place in places.items() if place[0] == version], version
        ).failures
    }
    assert mutants.keys() - failed == set()


def test_the_samples_are_valid_as_they_stand(
    samples: dict[tuple[str, str], Sample], tmp_path: Path
) -> None:
    for number, sample in enumerate(samples.values()):
        folder = tmp_path / sample.kubernetes
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.yaml").write_text(to_yaml(sample.document), encoding="utf-8")
    reports = [run_kubeconform([folder], folder.name) for folder in sorted(tmp_path.iterdir())]
    assert [failure for report in reports for failure in report.failures] == []
