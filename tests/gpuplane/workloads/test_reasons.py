"""Why the fields of a workload are there."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.cluster_file.fault import FieldPath, dotted
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kinds.llm import LLM
from gpuplane.workloads.reason import Because, explained
from gpuplane.workloads.registry import KINDS
from gpuplane.workloads.workload import Workload, new_workload
from policies.document import value_at
from tests.gpuplane.workloads.conftest import SMALL_MODEL, ask, for_launchers, platform_named

OBVIOUS = {
    "apiVersion",
    "kind",
    "name",
    "namespace",
    "labels",
    "image",
    "command",
    "replicas",
    "storage",
    "selector",
    "mountPath",
    "runAsGroup",
    "groupName",
    "ports",
}
"""Fields whose own name says all, with what is in them."""

OBVIOUS_VARIABLES = {"PET_MASTER_PORT"}


def _workload(kind: Kind) -> Workload:
    nodes = 2 if kind.spreads else None
    if not kind.stores:
        # Its namespace lets it run as root.
        asked = ask(kind=kind.name, nodes=nodes, namespace="pretraining")
        return new_workload(asked, platform_named("sample-training"))
    model = {**SMALL_MODEL, "gpus": 8} if kind is LLM else {}
    asked = ask(kind=kind.name, nodes=nodes, **model)
    return new_workload(asked, for_launchers(platform_named("training")))


def _leaves(value: Any, path: FieldPath = ()) -> Iterator[FieldPath]:
    if isinstance(value, dict):
        if value.get("name") in OBVIOUS_VARIABLES:
            return
        for key, member in value.items():
            yield from _leaves(member, (*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    else:
        yield path


def test_a_reason_stands_where_its_value_does() -> None:
    tree = {"a": Because({"b": [1, Because(2, "two")]}, "all of it"), "c": 3}
    found = explained(tree)
    assert found.document == {"a": {"b": [1, 2]}, "c": 3}
    assert list(map(str, found.reasons)) == ["a: all of it", "a.b[1]: two"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_path_that_has_a_reason_exists(kind: Kind) -> None:
    for one in _workload(kind).objects:
        for reason in one.reasons:
            assert value_at(one.document, reason.path) is not None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_field_that_is_not_obvious_has_a_reason(kind: Kind) -> None:
    unexplained = []
    for one in _workload(kind).objects:
        reasons = {reason.path for reason in one.reasons}
        for leaf in _leaves(one.document):
            above = {leaf[:length] for length in range(len(leaf) + 1)}
            if OBVIOUS.isdisjoint(map(str, leaf)) and above.isdisjoint(reasons):
                unexplained.append(dotted(leaf))
    assert unexplained == []
