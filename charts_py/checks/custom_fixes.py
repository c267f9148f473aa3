"""Operations that the fixes of custom rules declare: each must concern a part that a pod has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.checks.custom_rules import tree_of
from charts_py.cluster_file.fault import Problem
from gpus.nearest import nearest
from policies.custom.pod_fields import PodSchema
from policies.custom.rules import OPERATIONS
from policies.custom.tree import Call, Comprehension, Constant, ListLiteral, MapLiteral
from policies.document import unescaped
from upstream.compile_core import load_pod_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.cluster_file.fault import FieldPath
    from charts_py.platform.draft import Draft
    from policies.custom.pod_fields import Part
    from policies.custom.tree import Node

_MEMBERS = ("op", "path", "value")


@dataclass(frozen=True, slots=True)
class DeclaredText:
    """A text, or how one begins."""

    text: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class DeclaredOperation:
    """A map that is to be an operation."""

    members: Mapping[str, DeclaredText | None]
    """None for what is known only when it is evaluated."""


def check_custom_fixes(draft: Draft) -> Iterator[Problem]:
    """Yield what keeps an operation from being applied to any pod."""
    for name, rule in draft.cluster.policies.own.items():
        tree = tree_of(rule.apply) if rule.apply else None
        path = ("policies", "own", name, "apply")
        for operation in _declared_operations(tree) if tree is not None else ():
            yield from _members(path, operation)
            yield from _kind(path, operation)
            where = operation.members.get("path")
            if where is not None:
                yield from _where(path, where, draft.cluster.kubernetes)


def _members(path: FieldPath, operation: DeclaredOperation) -> Iterator[Problem]:
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


def _kind(path: FieldPath, operation: DeclaredOperation) -> Iterator[Problem]:
    op = operation.members.get("op")
    if op is not None and op.is_whole and op.text not in OPERATIONS:
        what = f'an operation has the op "{op.text}"'
        yield Problem(path, what, ", ".join(OPERATIONS), nearest(op.text, OPERATIONS))


def _where(path: FieldPath, where: DeclaredText, version: str) -> Iterator[Problem]:
    first, *steps = where.text.split("/")
    if first or (not steps and where.is_whole):
        what = f'an operation has the path "{where.text}"'
        yield Problem(path, what, "one that begins with /, such as /metadata/labels/team")
        return
    yield from _steps(path, where, PodSchema(load_pod_schema(version)))


def _steps(path: FieldPath, where: DeclaredText, schema: PodSchema) -> Iterator[Problem]:
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


def _declared_operations(node: Node) -> Iterator[DeclaredOperation]:
    """Yield the operations that an expression returns, as far as it writes them literally."""
    match node:
        case ListLiteral(elements=nodes):
            pass
        case MapLiteral():
            yield from _operation(node)
            return
        case Call(function="_?_:_", arguments=(_, *nodes)):
            pass
        case Call(function="_+_" | "dyn", arguments=nodes):
            pass
        case Comprehension():
            nodes = [node.step]
        case _:
            return
    for each in nodes:
        yield from _declared_operations(each)


def _operation(node: MapLiteral) -> Iterator[DeclaredOperation]:
    names = [_declared(key) for key in node.keys]
    if all(name is not None and name.is_whole for name in names):
        values = [_declared(value) for value in node.values]
        pairs = zip(names, values, strict=True)
        yield DeclaredOperation({name.text: value for name, value in pairs if name is not None})


def _declared(node: Node) -> DeclaredText | None:
    match node:
        case Constant(text=str(text)):
            return DeclaredText(text, is_whole=True)
        case Call(function="dyn" | "string", arguments=(inner,)):
            return _declared(inner)
        case Call(function="_+_", arguments=(start, _)):
            begins = _declared(start)
            return begins and DeclaredText(begins.text, is_whole=False)
    return None
