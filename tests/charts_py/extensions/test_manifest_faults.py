"""What keeps a document from being an object."""

import math
from typing import Any

import pytest

from charts_py.extensions.manifest_faults import faults_of


def _config_map(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, **fields}


def _secret(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, **fields}


@pytest.mark.parametrize(
    "content",
    [
        _config_map(),
        _config_map(metadata={"name": "a", "namespace": "b"}),
        _config_map(unknown={"list": [1, 2.5, True, None, "text", 2**53]}),
        _secret(type="kubernetes.io/service-account-token"),
        _config_map(kind="SealedSecret", apiVersion="bitnami.com/v1alpha1", data={"a": "b"}),
    ],
)
def test_an_object_has_none(content: Any) -> None:
    assert list(faults_of(content)) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("hi", ['"hi" is not an object; allowed: a mapping with apiVersion and kind']),
        ([1], ["a list is not an object; allowed: a mapping with apiVersion and kind"]),
        ({}, ["apiVersion: missing", "kind: missing", "metadata.name: missing"]),
        (_config_map(metadata="a"), ["metadata.name: missing"]),
        (_config_map(metadata={"generateName": "a-"}), ["metadata.name: missing"]),
        (
            _config_map(metadata={"name": 12, "namespace": True}),
            ["metadata.name: 12 is not a string", "metadata.namespace: true is not a string"],
        ),
        (_config_map(kind={}), ["kind: a mapping is not a string"]),
        (_config_map(data={1: "a"}), ["data.1: key 1 is not a string; quote it"]),
        (_config_map(spec=[{"x": math.nan}]), ["spec[0].x: nan is not a JSON number"]),
        (_config_map(data={"a": b"x"}), ["data.a: bytes is not a JSON type"]),
        (
            _config_map(spec={"n": -(2**53) - 1}),
            ["spec.n: -9007199254740993 loses digits in JSON; allowed: at most 9007199254740992"],
        ),
        *(
            (
                _secret(**{field: {"password": "x"}}),
                [
                    (
                        "Secret a holds data, and dist/ is in git; "
                        "use an ExternalSecret or SealedSecret"
                    )
                ],
            )
            for field in ("data", "stringData")
        ),
    ],
)
def test_every_fault_is_named(content: Any, expected: list[str]) -> None:
    assert list(faults_of(content)) == expected
