import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.pinned_definitions import PinnedDefinitions
from upstream.compile import (
    compile_all,
    compile_core,
    compile_custom_resources,
    compile_json_schema,
    load_documents,
)
from upstream.lock import UpstreamError, committed_lock
from upstream.schema import BRANCH_KEYWORDS, PLAIN_KEYWORDS, Schema
from upstream.schema_files import (
    CRDS,
    IMMUTABLE_FILE,
    KINDS_FILE,
    committed_schemas,
    differences,
    load_metadata,
    schema_files,
)

FIELDS = ("properties", "items", "additionalProperties", "not", "required")
FRAME = ("$schema", "$ref", "definitions")
MIRROR = os.environ.get("GPUPLANE_MIRROR")


def _schemas() -> dict[str, bytes]:
    files = schema_files(committed_schemas())
    beside = {IMMUTABLE_FILE, KINDS_FILE}
    return {path: content for path, content in files.items() if path not in beside}


@pytest.mark.skipif(
    MIRROR is None, reason="GPUPLANE_MIRROR does not name a folder with upstream files"
)
def test_the_committed_schemas_are_what_the_mirror_compiles_to(
    pinned_definitions: PinnedDefinitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = Path(str(MIRROR))
    read = {(mirror / file).read_bytes(): found for file, found in pinned_definitions.items()}
    # What load_documents returns of them, which takes seconds.
    monkeypatch.setattr("upstream.compile.load_documents", read.__getitem__)
    assert differences(compile_all(mirror), committed_schemas()) == []


def test_the_committed_core_schemas_are_what_the_wheel_compiles_to() -> None:
    pytest.importorskip("kubernetes_validate")
    committed = _schemas()
    core = {path: content for path, content in committed.items() if not path.startswith(CRDS)}
    assert compile_core() == core


def test_every_keyword_of_a_committed_schema_bears_structure() -> None:
    keywords = {*PLAIN_KEYWORDS, *BRANCH_KEYWORDS, *FIELDS, *FRAME}
    assert {
        path: left
        for path, content in _schemas().items()
        if (left := _keywords(json.loads(content)) - keywords)
    } == {}


def test_each_committed_schema_stands_where_its_kind_is_looked_up() -> None:
    for path, content in _schemas().items():
        if path.endswith("metadata.json"):
            continue
        properties = json.loads(content)["properties"]
        (api_version,) = properties["apiVersion"]["enum"]
        (kind,) = properties["kind"]["enum"]
        group, _, version = api_version.rpartition("/")
        assert path.endswith(f"/{group or version}/{kind.lower()}_{version}.json")


def test_every_missing_file_of_a_mirror_is_named(tmp_path: Path) -> None:
    with pytest.raises(UpstreamError) as caught:
        compile_custom_resources(tmp_path, load_metadata())
    compiled = [
        entry.file for entry in committed_lock() if entry.kind or entry.file.startswith("crds/")
    ]
    named = [line.partition(": ")[0] for line in str(caught.value).splitlines()]
    assert named == [f"{tmp_path}/{file}" for file in compiled]


def test_a_plain_equals_sign_is_a_string() -> None:
    assert load_documents(b"enum: [=, '!=']\n---\n# nothing\n") == [{"enum": ["=", "!="]}]


def _keywords(schema: Schema) -> set[str]:
    maps = [
        child for key in ("properties", "definitions") for child in schema.get(key, {}).values()
    ]
    singles = [schema.get(key) for key in ("items", "additionalProperties", "not")]
    branches = [child for key in BRANCH_KEYWORDS for child in schema.get(key, [])]
    children = [child for child in (*maps, *singles, *branches) if isinstance(child, dict)]
    return set(schema).union(*(_keywords(child) for child in children))


ROWS: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())


def test_a_schema_made_from_a_custom_resource_gets_the_metadata_of_every_object() -> None:
    row, metadata = ROWS["of a custom resource"], ROWS["metadata"]
    compiled = compile_json_schema("example.com/v1", "Widget", row["document"], metadata)
    assert compiled == row["schema"]


def test_a_schema_with_definitions_keeps_its_own_metadata_and_its_variants_stay_open() -> None:
    row, metadata = ROWS["with definitions"], ROWS["metadata"]
    compiled = compile_json_schema("example.com/v1", "Config", row["document"], metadata)
    assert compiled == row["schema"]
