import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.source import read_source

SAMPLES = sorted((Path(__file__).parents[1] / "samples").glob("*.yaml"))
SCHEMA = Cluster.model_json_schema(by_alias=True)
MODELS = {"Cluster": SCHEMA, **SCHEMA["$defs"]}


def refusals(text: str) -> list[str]:
    """Return the paths of a cluster that the schema refuses."""
    errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(json.loads(text))
    return [error.json_path for error in errors]


def as_json(file: Path) -> str:
    return json.dumps(read_source(file, file.name).content)


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_the_schema_takes_what_the_model_takes(file: Path) -> None:
    assert refusals(as_json(file)) == []


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('"1.35"', "1.35", "$.kubernetes"),
        ('"version": "1.1.0"', '"version": 1', "$.version"),
        ('"4Ti"', '"4TB"', "$.teams.research.namespaces.research.quota.memory"),
        ('"4Ti"', '"4096"', "$.teams.research.namespaces.research.quota.memory"),
        ('"region"', '"regoin"', "$"),
        ('"reserved"', '"rented"', "$.pools.h100.purchase"),
        ('"warn"', '"loud"', "$.policies.rules['image-tag']"),
    ],
)
def test_the_schema_refuses_what_the_model_refuses(old: str, new: str, path: str) -> None:
    text = as_json(Path(__file__).parents[1] / "samples" / "eks.yaml")
    assert old in text
    assert path in refusals(text.replace(old, new))


FIELDS = {
    f"{model}.{name}": field
    for model, schema in MODELS.items()
    for name, field in schema.get("properties", {}).items()
}


def test_every_field_is_described() -> None:
    assert [name for name, field in FIELDS.items() if "description" not in field] == []


def test_every_pattern_comes_with_an_example_that_matches_it() -> None:
    examples = {name: list(_examples(field)) for name, field in FIELDS.items()}
    assert [name for name, found in examples.items() if not all(each for _, each in found)] == []
    for found in examples.values():
        for schema, given in found:
            for example in given:
                jsonschema.validate(example, schema)


def _examples(field: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Yield what has a pattern, with examples of it."""
    for schema in (field, *field.get("anyOf", ())):
        if "pattern" in schema:
            yield schema, schema.get("examples", field.get("examples", []))
