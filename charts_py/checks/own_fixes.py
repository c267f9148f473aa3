"""Operations that fixes of the platform team's own rules state: on what a pod has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.fault import Problem
from charts_py.platform.own_expression import tree_of
from gpus.nearest import nearest
from policies.document import unescaped
from policies.own.own_rules import OPERATIONS
from policies.own.pod_fields import PodSchema
from policies.own.stated_operations import StatedText, stated_operations
from upstream.pod_schema import load_pod_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.cluster_file.fault import FieldPath
    from charts_py.platform.draft import Draft
    from policies.own.pod_fields import Part
    from policies.own.stated_operations import StatedOperation

_MEMBERS = ("op", "path", "value")


def check_own_fixes(draft: Draft) -> Iterator[Problem]:
    """Yield what keeps an operation from being applied to any pod."""
    for name, rule in draft.cluster.policies.own.items():
        tree = tree_of(rule.apply) if rule.apply else None
        path = ("policies", "own", name, "apply")
        for operation in stated_operations(tree) if tree is not None else ():
            yield from _members(path, operation)
            yield from _kind(path, operation)
            where = operation.members.get("path")
            if where is not None:
                yield from _where(path, where, draft.cluster.kubernetes)


def _members(path: FieldPath, operation: StatedOperation) -> Iterator[Problem]:
    members = operation.members
    for name in members:
        if name not in _MEMBERS:
            what = f'an operation has the member "{name}"'
            yield Problem(path, what, ", ".join(_MEMBERS), nearest(name, _MEMBERS))
            return
    op = members.get("op")
    needed = _MEMBERS if op is not None and op.text in ("add", "replace") else _MEMBERS[:2]
    for name in needed:
        if name not in members:
            yield Problem(path, f"an operation has no {name}", ", ".join(needed))


def _kind(path: FieldPath, operation: StatedOperation) -> Iterator[Problem]:
    op = operation.members.get("op")
    if op is not None and op.is_whole and op.text not in OPERATIONS:
        what = f'an operation has the op "{op.text}"'
        yield Problem(path, what, ", ".join(OPERATIONS), nearest(op.text, OPERATIONS))


def _where(path: FieldPath, where: StatedText, version: str) -> Iterator[Problem]:
    first, *steps = where.text.split("/")
    if first or (not steps and where.is_whole):
        what = f'an operation has the path "{where.text}"'
        yield Problem(path, what, "one that begins with /, such as /metadata/labels/team")
        return
    yield from _steps(path, where, PodSchema(load_pod_schema(version)))


def _steps(path: FieldPath, where: StatedText, schema: PodSchema) -> Iterator[Problem]:
    _, *steps = map(unescaped, where.text.split("/"))
    part: Part = schema.root
    above = ""
    # Where a path goes on, its last step does, too.
    for step in steps if where.is_whole else steps[:-1]:
        fields = schema.fields(part)
        if fields is not None and step not in fields and not _is_element(schema, part, step):
            what = f'an operation has the path "{where.text}", but there is no {above}/{step}'
            is_list = "items" in (schema.resolved(part) or {})
            none = "an index or -" if is_list else f"nothing below {above}; ~1 for / in a name"
            yield Problem(path, what, ", ".join(sorted(fields)) or none, nearest(step, fields))
            return
        part = fields[step] if fields and step in fields else schema.below(part)
        above = f"{above}/{step}"


def _is_element(schema: PodSchema, part: Part, step: str) -> bool:
    is_list = "items" in (schema.resolved(part) or {})
    return is_list and (step == "-" or (step.isascii() and step.isdecimal()))
