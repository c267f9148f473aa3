from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.constructs.render import render
from charts_py.rendering.rendering import check_no_secrets, check_sizes, files_of
from tests.charts_py.fixture_types import Load, Sample


def _role(name: str, namespace: str) -> dict[str, object]:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": name, "namespace": namespace},
    }


def test_a_file_is_named_by_kind_and_name_and_by_namespace_where_two_would_collide() -> None:
    folders = {"team": (_role("reader", "a"), _role("reader", "b"), _role("writer", "a"))}
    assert list(files_of(folders)) == [
        "team/Role.a.reader.yaml",
        "team/Role.b.reader.yaml",
        "team/Role.writer.yaml",
    ]


def test_a_colon_in_a_name_is_an_underscore_in_a_file() -> None:
    assert list(files_of({"x": (_role("gpu:reader", "a"),)})) == ["x/Role.gpu_reader.yaml"]


def test_an_object_that_is_emitted_twice_is_refused() -> None:
    with pytest.raises(RenderError) as refused:
        files_of({"team": (_role("reader", "a"), _role("reader", "a"))})
    assert str(refused.value) == "team: Role a/reader is emitted twice"


def test_no_object_replaces_another_in_its_file() -> None:
    with pytest.raises(RenderError) as refused:
        files_of({"team": (_role("gpu:reader", "a"), _role("gpu_reader", "a"))})
    assert str(refused.value) == (
        "team: Role a/gpu_reader has the same file as another object: Role.gpu_reader.yaml"
    )


@pytest.mark.parametrize("name", ["/../../x", "..", ".", "a\0b", "a\nb", "a/b", "a%2fb"])
def test_a_name_that_cannot_be_that_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(RenderError) as refused:
        files_of({"team": (_role(name, "a"),)})
    shown = name.replace("\0", r"\x00").replace("\n", r"\x0a")
    assert str(refused.value) == (
        f'team: "Role a/{shown}" cannot name a file; allowed: printable characters without / and %'
    )


MODULE = """
from charts_py.objects.kube_object import KubeObject

def registry(scope, platform):
    KubeObject(scope, {
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "pull", "namespace": "default"},
        CONTENT
    })
"""
REVEALING = """
  patches:
    - kind: Secret
      name: pull
      operations: [{op: add, path: /stringData, value: {token: x}}]
"""
MIB = 2**20
PATCH = """extensions:
  patches:
    - kind: ConfigMap
      name: gpuplane-webhook-settings
      operations: [{op: add, path: /data/more, value: VALUE}]
"""


def _object(kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "a", "namespace": "b"}, **fields}


def _policy(length: int) -> dict[str, Any]:
    rules = [{"expression": "true"}, {"expression": "é" * length}]
    return _object("Policy", spec={"rules": rules})


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        (
            _object("ConfigMap", data={"a": "x" * MIB, "b": "é"}),
            "ConfigMap b/a: its data has 1,048,578 bytes; allowed: at most 1,048,576",
        ),
        (
            _object("Thing", spec="x" * (3 * MIB // 2)),
            "Thing b/a: it has 1,572,948 bytes; allowed: at most 1,572,864",
        ),
        (
            _policy(100_001),
            "Policy b/a: spec.rules[1].expression has 100,001 characters; allowed: at most 100,000",
        ),
    ],
)
def test_what_is_too_large_is_named_with_its_size_and_the_limit(
    document: dict[str, Any], fault: str
) -> None:
    with pytest.raises(RenderError) as refused:
        check_sizes("sample", {"manifests": (document,)}, {})
    assert str(refused.value) == f"sample: manifests: {fault}"


def test_what_to_do_is_said_of_components_that_know_it() -> None:
    documents = (_policy(100_001),)
    with pytest.raises(RenderError) as refused:
        check_sizes("sample", {"manifests": documents, "other": documents}, {"other": "use less"})
    fault = "Policy b/a: spec.rules[1].expression has 100,001 characters; allowed: at most 100,000"
    assert str(refused.value).splitlines() == [
        f"sample: manifests: {fault}",
        f"sample: other: {fault}; use less",
    ]


@pytest.mark.parametrize(
    "document",
    [_object("ConfigMap", data={"a": "x" * MIB}), _object("ConfigMap"), _policy(100_000)],
)
def test_what_is_as_large_as_the_limit_is_allowed(document: dict[str, Any]) -> None:
    check_sizes("sample", {"manifests": (document,)}, {})


def test_nothing_that_is_too_large_is_rendered(sample: Sample, platform_of: Load) -> None:
    with pytest.raises(RenderError, match=r"^sample: webhook: ConfigMap \S+: its data has [\d,]+ "):
        render(platform_of(sample("aks") + PATCH.replace("VALUE", "x" * MIB)))


def test_a_secret_may_have_keys_without_values() -> None:
    check_no_secrets("sample", {"jobset": (_object("Secret", data={"tls.key": ""}),)})


def test_every_secret_with_data_is_named() -> None:
    folders = {
        "manifests": (_object("Secret", data={"a": "eA=="}), _object("ConfigMap", data={"a": "x"})),
        "registry": (_object("Secret", stringData={"a": "x"}),),
    }
    with pytest.raises(RenderError) as refused:
        check_no_secrets("sample", folders)
    rule = "Secret b/a holds data, and dist/ is in git; use an ExternalSecret or SealedSecret"
    assert str(refused.value) == f"sample: manifests: {rule}\nsample: registry: {rule}"


@pytest.mark.parametrize(
    "document",
    [
        _object("Secret", type="kubernetes.io/service-account-token"),
        _object("Secret", data={}),
        _object("ConfigMap", data={"a": "x"}),
        {**_object("Secret", data={"a": "x"}), "apiVersion": "example.com/v1"},
    ],
)
def test_what_holds_nothing_secret_is_allowed(document: dict[str, Any]) -> None:
    check_no_secrets("sample", {"manifests": (document,)})


@pytest.mark.parametrize(
    ("content", "patch"), [('"stringData": {"token": "x"}', ""), ('"type": "Opaque"', REVEALING)]
)
def test_neither_a_construct_nor_a_patch_gets_one_past(
    sample: Sample, platform_of: Load, tmp_path: Path, content: str, patch: str
) -> None:
    (tmp_path / "extra.py").write_text(MODULE.replace("CONTENT", content), encoding="utf-8")
    extensions = f'extensions:\n  constructs: ["extra:registry"]{patch or chr(10)}'
    with pytest.raises(RenderError) as refused:
        render(platform_of(sample("aks") + extensions))
    assert str(refused.value) == (
        "sample: registry: Secret default/pull holds data, and dist/ is in git; use an "
        "ExternalSecret or SealedSecret"
    )
