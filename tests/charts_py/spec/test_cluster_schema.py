from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from charts_py.spec.cluster import Cluster
from charts_py.spec.source import read_source

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


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_field_is_described(model: dict[str, Any]) -> None:
    assert [
        name for name, field in model.get("properties", {}).items() if "description" not in field
    ] == []


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_pattern_comes_with_an_example_that_matches_it(model: dict[str, Any]) -> None:
    for name, field in model.get("properties", {}).items():
        for schema in (field, *field.get("anyOf", ())):
            if "pattern" in schema:
                examples = schema.get("examples", field.get("examples"))
                assert examples, f"{name} has no example"
                for example in examples:
                    jsonschema.validate(example, schema)
