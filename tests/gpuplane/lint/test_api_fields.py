"""The table of values names only types and fields that the API has."""

import json
import tomllib
from pathlib import Path
from typing import Any

from gpuplane.lint import api_fields
from upstream.kubernetes_version import KubernetesVersion
from upstream.schema_files import committed_schemas, core_folder


def _fields() -> dict[str, set[str]]:
    found = dict[str, set[str]]()
    core = committed_schemas() / core_folder([*KubernetesVersion][-1])
    for file in (each for group in ("v1", "apps", "batch") for each in (core / group).iterdir()):
        types: dict[str, Any] = json.loads(file.read_bytes()).get("definitions", {})
        for name, schema in types.items():
            found.setdefault(name.rpartition(".")[2], set()).update(schema.get("properties", ()))
    return found


def test_the_table_names_only_types_and_fields_of_the_api() -> None:
    file = Path(api_fields.__file__).with_name("api_values.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    stated = {(name, field) for name, fields in table.items() for field in fields}
    required = table["required"]
    stated = {each for each in stated if each[0] != "required"}
    stated |= {(name, field) for name, fields in required.items() for field in fields}
    fields = _fields()
    assert sorted(each for each in stated if each[1] not in fields.get(each[0], set())) == []
