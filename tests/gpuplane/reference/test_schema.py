"""The JSON schemas of the files under `clusters/`."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.source import read_source
from gpuplane.reference.schema import cluster_schema, fleet_schema
from gpus.catalog import load_catalog

CLUSTERS = sorted((Path(__file__).parents[3] / "clusters").glob("*.yaml"))


def _faults(schema: dict[str, Any], content: Any) -> list[tuple[str, str]]:
    found = Draft202012Validator(schema).iter_errors(content)
    return sorted((error.json_path, error.validator) for error in found)


@pytest.mark.parametrize("schema", [cluster_schema(), fleet_schema()], ids=["cluster", "fleet"])
def test_the_schemas_are_schemas(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("file", CLUSTERS, ids=lambda file: file.stem)
def test_the_examples_follow_their_schema(file: Path) -> None:
    schema = fleet_schema() if file.name == FLEET_FILE else cluster_schema()
    assert _faults(schema, read_source(file, file.name).content) == []


def test_what_an_editor_marks_in_a_cluster_file() -> None:
    pool = {"gpu": 900, "purpose": "games", "nodes": {"min": 0}}
    content = {"provider": "aws", "regoin": "x", "pools": {"h100": pool}}
    assert _faults(cluster_schema(), content) == [
        ("$", "additionalProperties"),
        ("$.pools.h100.gpu", "anyOf"),
        ("$.pools.h100.nodes", "required"),
        ("$.pools.h100.purpose", "enum"),
        ("$.provider", "enum"),
    ]


def test_the_fleet_may_state_any_part_but_no_half_of_a_list_item() -> None:
    content = {
        "pools": {"h100": {"nodes": {"warm": 1}}},
        "extensions": {"patches": [{"kind": "Namespace"}]},
    }
    assert _faults(fleet_schema(), content) == [
        ("$.extensions.patches[0]", "required"),
        ("$.extensions.patches[0]", "required"),
    ]


def test_editors_complete_the_names_of_hardware() -> None:
    pool = cluster_schema()["$defs"]["Pool"]["properties"]
    assert list(load_catalog().models) == pool["gpu"]["examples"]
    assert "p5.48xlarge" in pool["instanceType"]["examples"]


def test_every_field_is_described_in_one_line() -> None:
    schema = cluster_schema()
    fields = [
        (name, field.get("description", ""))
        for definition in [schema, *schema["$defs"].values()]
        for name, field in definition.get("properties", {}).items()
    ]
    assert [name for name, words in fields if not words or "\n" in words] == []


@pytest.mark.parametrize("schema", [cluster_schema(), fleet_schema()], ids=["cluster", "fleet"])
def test_true_may_stand_where_it_switches_something_on(schema: dict[str, Any]) -> None:
    switches = {"queues": True, "training": {"ray": True}, "addons": {"gpuHealth": True}}
    assert _faults(schema, switches) == []
    assert _faults(schema, {"queues": False, "slurm": True, "network": True}) == [
        ("$.network", "type"),
        ("$.queues", "anyOf"),
        ("$.slurm", "anyOf"),
    ]
