"""Fields of a pod that the CEL of rules of the platform team's own reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.fault import Problem
from charts_py.platform.own_expression import tree_of
from gpus.nearest import nearest
from policies.own.pod_fields import PodSchema, fields_read
from upstream.pod_schema import load_pod_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.cluster_file.fault import FieldPath
    from charts_py.cluster_file.own_rule import OwnRule
    from charts_py.platform.draft import Draft
    from policies.own.pod_fields import UnknownField
    from policies.own.syntax_tree import Node

_QUANTITIES = (
    "a quantity in quotes, or a field that is one, such as resources.limits, resources.requests, "
    "overhead, emptyDir.sizeLimit"
)
"""The API server reads these before any rule does; of any other text of a pod, it would have to
read a quantity that keeps it busy for minutes."""


def check_own_fields(draft: Draft) -> Iterator[Problem]:
    """Yield fields that no pod has, and texts that no rule is to read as quantities."""
    own = draft.cluster.policies.own
    if not own:
        return
    version = draft.cluster.kubernetes
    schema = PodSchema(load_pod_schema(version))
    for name, rule in own.items():
        for field, tree in _trees(rule):
            path = ("policies", "own", name, field)
            read = fields_read(tree, schema)
            for unknown in read.unknown:
                yield _unknown(path, unknown, version)
            for text in read.unbounded:
                what = f"{text} is read as a quantity, which is none to the API server"
                yield Problem(path, what, _QUANTITIES)


def _trees(rule: OwnRule) -> Iterator[tuple[str, Node]]:
    for field, expression in (
        ("expression", rule.expression),
        ("messageExpression", rule.message_expression),
        ("apply", rule.apply),
    ):
        tree = tree_of(expression) if expression else None
        if tree is not None:
            yield field, tree


def _unknown(path: FieldPath, unknown: UnknownField, version: str) -> Problem:
    what = f"{unknown.text} is no field of a pod of Kubernetes {version}"
    if not unknown.known:
        return Problem(path, what, "none there: only objects have fields")
    return Problem(
        path, what, ", ".join(sorted(unknown.known)), nearest(unknown.name, unknown.known)
    )
