"""The CustomResourceDefinition of DistributedTraining."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from charts_py.cluster_file.training import DistributedTraining, Spec
from charts_py.components.distributed_training import custom_resource_definition

EXAMPLE = Path(__file__).parents[3] / "examples" / "training" / "transformer.yaml"


def _schema() -> dict[str, Any]:
    (version,) = custom_resource_definition()["spec"]["versions"]
    return dict(version["schema"]["openAPIV3Schema"])


def test_it_has_every_field_of_the_model() -> None:
    spec = _schema()["properties"]["spec"]
    fields = Spec.model_json_schema(by_alias=True)
    assert list(spec["properties"]) == list(fields["properties"])
    assert spec["required"] == fields["required"] == ["image"]
    assert [name for name, each in spec["properties"].items() if "description" not in each] == []


def test_it_is_of_the_group_and_the_kind_that_the_model_reads() -> None:
    spec = custom_resource_definition()["spec"]
    (version,) = spec["versions"]
    read = DistributedTraining.model_json_schema(by_alias=True)["properties"]
    assert read["apiVersion"]["const"] == f"{spec['group']}/{version['name']}"
    assert read["kind"]["const"] == spec["names"]["kind"]


def test_it_takes_the_example() -> None:
    document = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    assert list(Draft202012Validator(_schema()).iter_errors(document)) == []


@pytest.mark.parametrize(
    ("field", "value"), [("workers", 0), ("framework", "x"), ("duration", "1d"), ("image", "")]
)
def test_it_refuses_what_the_model_refuses(field: str, value: object) -> None:
    document = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    document["spec"][field] = value
    (error,) = Draft202012Validator(_schema()).iter_errors(document)
    assert list(error.absolute_path) == ["spec", field]
