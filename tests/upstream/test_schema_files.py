from pathlib import Path

from tests.pinned_definitions import PinnedDefinitions
from upstream.compile_crds import compile_crd_documents
from upstream.lock import committed_lock
from upstream.schema import to_json as schema_json
from upstream.schema_files import (
    CRDS,
    KINDS_FILE,
    committed_kinds,
    committed_schemas,
    differences,
    kinds_json,
    kinds_of,
    schema_files,
    write_schemas,
)


def test_what_was_written_does_not_differ(tmp_path: Path) -> None:
    compiled = {"crds/a.com/b_v1.json": b"{}\n", "metadata.json": b"[]\n"}
    write_schemas(compiled, tmp_path)
    assert schema_files(tmp_path) == compiled
    assert differences(compiled, tmp_path) == []


def test_left_over_schemas_and_folders_are_removed(tmp_path: Path) -> None:
    write_schemas({"crds/a.com/b_v1.json": b"{}\n", "crds/c.com/d_v1.json": b"{}\n"}, tmp_path)
    write_schemas({"crds/a.com/b_v1.json": b"{}\n"}, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == [
        "crds",
        "crds/a.com",
        "crds/a.com/b_v1.json",
    ]


def test_differences_are_reported_in_both_directions(tmp_path: Path) -> None:
    write_schemas({"changed.json": b"1", "left.json": b"1", "same.json": b"1"}, tmp_path)
    compiled = {"changed.json": b"2", "new.json": b"1", "same.json": b"1"}
    assert differences(compiled, tmp_path) == [
        "changed.json: differs",
        "left.json: left over",
        "new.json: missing",
    ]


def test_the_committed_file_is_what_is_read_from_it() -> None:
    assert kinds_json(committed_kinds()) == (committed_schemas() / KINDS_FILE).read_bytes()


def test_kinds_are_listed_by_the_folder_of_their_schemas_and_their_version() -> None:
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com",
            "names": {"kind": "BigBox"},
            "versions": [
                {"name": name, "served": name != "v1alpha1", "schema": {"openAPIV3Schema": {}}}
                for name in ("v1alpha1", "v1beta1", "v1")
            ],
        },
    }
    schemas = compile_crd_documents([definition])
    compiled = {f"{CRDS}/{path}": schema_json(schema) for path, schema in schemas.items()}
    assert kinds_of(compiled) == {
        CRDS: {"example.com/v1": ("BigBox",), "example.com/v1beta1": ("BigBox",)}
    }


def test_every_version_that_a_pinned_definition_serves_is_listed_and_no_other(
    pinned_definitions: PinnedDefinitions,
) -> None:
    pinned = {each.file for each in committed_lock()}
    served = {
        (f"{spec['group']}/{version['name']}", spec["names"]["kind"])
        for file, definitions in pinned_definitions.items()
        if file in pinned
        for spec in (each["spec"] for each in definitions)
        for version in spec["versions"]
        if version["served"]
    }
    listed = {
        (version, kind) for version, kinds in committed_kinds()[CRDS].items() for kind in kinds
    }
    assert listed == served
