"""What is taken for a number is one to the API server."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gpuplane.lint.placeholders import HOLDER_NUMBERS
from gpuplane.lint.rules.invalid_fields import places_above
from policies.workloads.registry import WORKLOAD_KINDS, WorkloadKind
from upstream.kubernetes_version import KubernetesVersion
from upstream.schema_files import CRDS, committed_schemas, core_folder

FOLDERS = (CRDS, core_folder([*KubernetesVersion][-1]))


def _schemas(known: WorkloadKind) -> Iterator[dict[str, Any]]:
    for folder in FOLDERS:
        group = committed_schemas() / folder / (known.group or "v1")
        for file in group.glob(f"{known.kind.lower()}_*.json"):
            yield json.loads(file.read_bytes())


def _below(schema: dict[str, Any], step: str, whole: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field, or of all elements or members."""
    found = schema["properties"][step] if step != "*" else _every(schema)
    return _resolved(found, whole)


def _every(schema: dict[str, Any]) -> Any:
    return schema["items"] if "items" in schema else schema["additionalProperties"]


def _resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    *_, folder, name = schema["$ref"].split("/")
    return _resolved(whole[folder][name], whole)


KINDS = [known for known in WORKLOAD_KINDS if known.templates and any(_schemas(known))]


@pytest.mark.parametrize("known", KINDS, ids=lambda known: f"{known.kind}.{known.group}")
def test_every_field_of_these_names_in_what_holds_a_template_is_an_integer(
    known: WorkloadKind,
) -> None:
    types = set()
    for whole in _schemas(known):
        for place in places_above(known.templates):
            schema = whole
            for step in place.split("/")[1:]:
                schema = _below(schema, step, whole)
            fields = schema.get("properties", {})
            types |= {_type(fields[name], whole) for name in HOLDER_NUMBERS if name in fields}
    assert types <= {"integer"}


def _type(schema: dict[str, Any], whole: dict[str, Any]) -> Any:
    stated = _resolved(schema, whole).get("type")
    return tuple(stated) if isinstance(stated, list) else stated
