from pathlib import Path
from typing import Any

import pytest
import yaml

from upstream.compile_crds import compile_crd_documents, strict_schema
from upstream.lock import UpstreamError

ROWS: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())
METADATA = ROWS["metadata"]


def definition(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = ROWS["definition"]
    return {**document, "spec": {**document["spec"], **changes}}


def test_each_served_version_gets_a_schema_of_its_kind() -> None:
    assert compile_crd_documents([definition(), {"kind": "ConfigMap"}], METADATA) == {
        "example.com/widget_v1.json": ROWS["schema"]
    }


@pytest.mark.parametrize(
    ("document", "message"),
    [
        pytest.param(
            {**definition(), "apiVersion": "apiextensions.k8s.io/v1beta1"},
            "apiVersion is apiextensions.k8s.io/v1beta1; allowed: apiextensions.k8s.io/v1",
            id="old API version",
        ),
        pytest.param(
            definition(versions=[{"name": "v1", "served": True}]),
            "the field 'schema' is missing",
            id="no schema",
        ),
        pytest.param(
            definition(
                versions=[{"name": "v1", "served": True, "schema": {"openAPIV3Schema": None}}]
            ),
            "no structural schema: 'NoneType' object has no attribute 'get'",
            id="empty schema",
        ),
    ],
)
def test_a_definition_that_cannot_be_compiled_is_named(
    document: dict[str, Any], message: str
) -> None:
    with pytest.raises(UpstreamError) as caught:
        compile_crd_documents([document], METADATA)
    assert str(caught.value) == f"CustomResourceDefinition widgets.example.com: {message}"


@pytest.mark.parametrize("row", ROWS["strict"].values(), ids=ROWS["strict"])
def test_a_structural_schema_becomes_strict(row: dict[str, Any]) -> None:
    assert strict_schema(row["node"]) == row["strict"]
