"""No Secret is written, whoever emits it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.constructs.render import render
from charts_py.platform.render_error import RenderError
from charts_py.rendering.secrets_check import check_no_secrets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from charts_py.platform.platform import Platform

MODULE = """
from charts_py.objects.kube_object import add_document

def registry(scope, platform):
    add_document(scope, {
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "pull", "namespace": "default"},
        CONTENT
    })
"""
PATCH = """
  patches:
    - kind: Secret
      name: pull
      operations: [{op: add, path: /stringData, value: {token: x}}]
"""


def _object(kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "a", "namespace": "b"}, **fields}


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
    ("content", "patch"), [('"stringData": {"token": "x"}', ""), ('"type": "Opaque"', PATCH)]
)
def test_neither_a_construct_nor_a_patch_gets_one_past(
    sample: Callable[..., str],
    platform_of: Callable[[str], Platform],
    tmp_path: Path,
    content: str,
    patch: str,
) -> None:
    (tmp_path / "extra.py").write_text(MODULE.replace("CONTENT", content), encoding="utf-8")
    extensions = f'extensions:\n  constructs: ["extra:registry"]{patch or chr(10)}'
    with pytest.raises(RenderError) as refused:
        render(platform_of(sample("aks") + extensions))
    assert str(refused.value) == (
        "sample: registry: Secret default/pull holds data, and dist/ is in git; use an "
        "ExternalSecret or SealedSecret"
    )
