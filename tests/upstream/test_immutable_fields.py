"""Which fields of custom resources are immutable."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.pinned_definitions import PinnedDefinitions
from upstream.immutable_fields import (
    ImmutableField,
    Reach,
    committed_immutable_fields,
    compile_immutable_fields,
    to_json,
)
from upstream.lock import committed_lock

NAME = "Box.example.com"


def _definition(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com",
            "names": {"kind": "Box"},
            "versions": [{"name": "v1", "served": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def _rule(text: str) -> dict[str, Any]:
    return {"x-kubernetes-validations": [{"rule": text}]}


@pytest.mark.parametrize(
    ("schema", "path", "reach"),
    [
        ({"properties": {"size": _rule("self == oldSelf")}}, ("spec", "size"), Reach.CHANGE),
        (_rule("self.size == oldSelf.size"), ("spec", "size"), Reach.CHANGE),
        (_rule("!has(oldSelf.key) || self.key == oldSelf.key"), ("spec", "key"), Reach.ONCE_SET),
        (_rule("has(self.size) == has(oldSelf.size)"), ("spec", "size"), Reach.PRESENCE),
        ({"items": {"properties": {"a": _rule("self == oldSelf")}}}, ("spec", "a"), Reach.CHANGE),
    ],
)
def test_a_rule_on_the_old_value_makes_a_field_immutable(
    schema: dict[str, Any], path: tuple[str, ...], reach: Reach
) -> None:
    definition = _definition({"properties": {"spec": schema}})
    assert compile_immutable_fields([definition]) == {ImmutableField(NAME, path, reach)}


@pytest.mark.parametrize("rule", ["self > 0", "self.a == oldSelf.b", "self >= oldSelf"])
def test_no_other_rule_does(rule: str) -> None:
    assert compile_immutable_fields([_definition({"properties": {"spec": _rule(rule)}})]) == set()


def test_the_status_and_documents_of_other_kinds_do_not_count() -> None:
    status = _definition({"properties": {"status": _rule("self == oldSelf")}})
    assert compile_immutable_fields([status, {"kind": "Namespace"}]) == set()


def test_the_committed_file_is_what_is_read_from_it() -> None:
    fields = [field for found in committed_immutable_fields().values() for field in found]
    file = Path("upstream/schemas/immutable.json")
    assert to_json(fields) == file.read_bytes()
    assert json.loads(file.read_bytes())["NodePool.karpenter.sh"] == {
        "spec.replicas": "presence",
        "spec.template.spec.nodeClassRef.group": "change",
        "spec.template.spec.nodeClassRef.kind": "change",
    }


def test_rules_on_the_old_value_that_name_no_field_are_these(
    pinned_definitions: PinnedDefinitions,
) -> None:
    """A new one wants a row of its own in the table of what changes do."""
    kinds, locked = set(), {each.file for each in committed_lock()}
    definitions = (d for file, found in pinned_definitions.items() if file in locked for d in found)
    for definition in definitions:
        read = len({*compile_immutable_fields([definition])})
        rules = set(_rules_on_the_old_value(definition["spec"]["versions"]))
        if len(rules) > read:
            kinds.add(definition["spec"]["names"]["kind"])
    assert kinds == {"ResourceFlavor", "Topology", "Workload"}


def _rules_on_the_old_value(schema: Any, path: str = "") -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from _rules_on_the_old_value(item, path)
    elif isinstance(schema, dict):
        for rule in schema.get("x-kubernetes-validations", ()):
            if isinstance(rule, dict) and "oldSelf" in rule["rule"]:
                yield f"{path} {rule['rule']}"
        for key, value in schema.items():
            if key != "status":
                yield from _rules_on_the_old_value(value, f"{path}.{key}")
