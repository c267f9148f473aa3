"""What no API server takes for its size is not rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.constructs.render import render
from charts_py.platform.render_error import RenderError
from charts_py.rendering.size_check import check_sizes

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

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


def test_nothing_that_is_too_large_is_rendered(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    with pytest.raises(RenderError, match=r"^sample: webhook: ConfigMap \S+: its data has [\d,]+ "):
        render(platform_of(sample("aks") + PATCH.replace("VALUE", "x" * MIB)))
