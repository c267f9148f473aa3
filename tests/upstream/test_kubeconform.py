import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from upstream.compile_crds import compile_crd_documents
from upstream.error import UpstreamError
from upstream.kubeconform import run_kubeconform
from upstream.kubeconform_report import Report, Result, Status
from upstream.kubernetes_version import KubernetesVersion
from upstream.schema import to_json
from upstream.schema_files import committed_schemas, core_folder, schema_files, write_schemas

WIDGET = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"kind": "Widget", "plural": "widgets"},
        "scope": "Namespaced",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "required": ["spec"],
                        "properties": {
                            "spec": {
                                "type": "object",
                                "required": ["size"],
                                "properties": {
                                    "size": {"type": "integer", "minimum": 1},
                                    "port": {
                                        "anyOf": [{"type": "integer"}, {"type": "string"}],
                                        "x-kubernetes-int-or-string": True,
                                    },
                                    "values": {
                                        "type": "object",
                                        "x-kubernetes-preserve-unknown-fields": True,
                                    },
                                    "note": {"type": "string", "nullable": True},
                                    "word": {"type": "string", "pattern": "^(?i:[a-z]+)$"},
                                },
                            }
                        },
                    }
                },
            }
        ],
    },
}


def widget(name: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": name},
        "spec": {"size": 1, **spec},
    }


CASES: tuple[tuple[dict[str, Any], str], ...] = (
    (widget("number-port", port=80), ""),
    (widget("text-port", port="http"), ""),
    (widget("no-port", port=True), "/spec/port: got boolean, want integer or string"),
    (widget("values", values={"any": {"thing": [1]}}), ""),
    (widget("null", note=None), ""),
    (widget("re2-pattern", word="ABC"), ""),
    (widget("misspelled", szie=1), "/spec: additional properties 'szie' not allowed"),
    (widget("bound", size=0), "/spec/size: minimum: got 0, want 1"),
    (widget("status") | {"status": {}}, "/: additional properties 'status' not allowed"),
    (widget("no-spec", size="1") | {"spec": {}}, "/spec: missing property 'size'"),
    (
        widget("two-faults", size="1", szie=1),
        "/spec/size: got string, want integer; /spec: additional properties 'szie' not allowed",
    ),
    (
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "core"}, "data": {"a": 1}},
        "/data/a: got number, want string",
    ),
    (
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"labels": {}}},
        "/metadata: missing property 'name'",
    ),
)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schemas")
    compiled = compile_crd_documents([WIDGET])
    write_schemas({path: to_json(schema) for path, schema in compiled.items()}, folder)
    return folder


def validate(folder: Path, documents: list[dict[str, Any]], schema_dir: Path) -> Report:
    file = folder / "objects.yaml"
    file.write_text(yaml.safe_dump_all(documents))
    return run_kubeconform([file], "1.33", [schema_dir])


def test_kubeconform_finds_what_the_api_server_would_refuse_or_drop(
    tmp_path: Path, schemas: Path
) -> None:
    report = validate(tmp_path, [document for document, _ in CASES], schemas)
    assert {(result.kind, result.name, result.message) for result in report.results} == {
        (document["kind"], document["metadata"].get("name", ""), message)
        for document, message in CASES
    }
    assert len(report.failures) == sum(bool(message) for _, message in CASES)


def test_a_kind_without_a_schema_is_an_error_that_says_what_to_do(
    tmp_path: Path, schemas: Path
) -> None:
    document = {"apiVersion": "example.com/v2", "kind": "Widget", "metadata": {"name": "new"}}
    report = validate(tmp_path, [document], schemas)
    assert report.failures == (
        Result(
            file=str(tmp_path / "objects.yaml"),
            api_version="example.com/v2",
            kind="Widget",
            name="new",
            status=Status.ERROR,
            message=(
                "no schema for kind Widget of example.com/v2 (nearest: Widget of example.com/v1); "
                "put its CustomResourceDefinition into the cluster's manifests folder, "
                "or pin it in upstream/lock.yaml"
            ),
        ),
    )
    assert [str(result) for result in report.results] == [
        f"{tmp_path}/objects.yaml: Widget/new: {report.results[0].message}"
    ]


def test_folders_are_searched_and_ignored_names_are_passed_over(tmp_path: Path) -> None:
    valid = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "a.yaml").write_text(yaml.safe_dump(valid))
    (tmp_path / "release.json").write_text("{}")
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    report = run_kubeconform([tmp_path], "1.36.2", ignored_names=["release.json"])
    file = str(tmp_path / "below" / "a.yaml")
    assert report.results == (Result(file, "v1", "ConfigMap", "a", Status.VALID, ""),)


def test_a_document_that_is_not_an_object_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: b\n")
    (tmp_path / "b.yaml").write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b, a: c}\n"
    )
    files = [tmp_path / "a.yaml", tmp_path / "b.yaml", tmp_path / "c.yaml"]
    assert [str(result) for result in run_kubeconform(files, "1.34").failures] == [
        f"{tmp_path}/a.yaml: document: error while parsing: missing 'kind' key",
        (
            f"{tmp_path}/b.yaml: ConfigMap/a: error unmarshalling resource: error converting "
            'YAML to JSON: yaml: unmarshal errors: line 4: key "a" already set in map'
        ),
        f"{tmp_path}/c.yaml: document: lstat {tmp_path}/c.yaml: no such file or directory",
    ]


def test_nothing_to_validate_is_an_empty_report() -> None:
    assert run_kubeconform([], "1.33") == Report(())


def test_a_kubernetes_version_without_schemas_is_named(tmp_path: Path) -> None:
    with pytest.raises(UpstreamError) as caught:
        run_kubeconform([tmp_path], "1.20")
    assert str(caught.value) == (
        f"no schemas for Kubernetes 1.20; there are {', '.join(KubernetesVersion)}"
    )


@pytest.mark.parametrize("minor", KubernetesVersion)
def test_kubeconform_can_read_every_committed_schema(tmp_path: Path, minor: str) -> None:
    """It treats a schema that it cannot compile, because of a pattern for example, as missing."""
    folders = [committed_schemas() / core_folder(minor)]
    folders += [committed_schemas() / "crds"] if minor == [*KubernetesVersion][-1] else []
    kinds = [_kind(content) for folder in folders for content in schema_files(folder).values()]
    documents = [{**kind, "metadata": {"name": "a", "region": "b"}} for kind in kinds]
    (tmp_path / "objects.yaml").write_text(yaml.safe_dump_all(documents))
    results = run_kubeconform([tmp_path], minor).results
    assert [str(result) for result in results if result.status is Status.ERROR] == []
    assert len(results) == len(kinds)


def _kind(content: bytes) -> dict[str, str]:
    properties = json.loads(content)["properties"]
    (api_version,) = properties["apiVersion"]["enum"]
    (kind,) = properties["kind"]["enum"]
    return {"apiVersion": api_version, "kind": kind}
