"""Custom rules: their names, how many there are, and what is wrong with their CEL."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.policies import OWN_NAME, CustomRule
from charts_py.platform.draft import Draft
from gpus.nearest import nearest
from policies.custom import faults
from policies.custom.faults import Fault, Returns
from policies.custom.pod_fields import Part, PodSchema, fields_read
from policies.custom.rules import MAX_MESSAGE, OPERATIONS
from policies.custom.tree import Call, Comprehension, Constant, ListLiteral, MapLiteral, Node
from policies.document import unescaped
from policies.nearest_rules import nearest_rules
from policies.rule_name import Mode, RuleName
from upstream.compile_core import load_pod_schema

_MEMBERS = ("op", "path", "value")
_NAMESPACE = "/metadata/namespace"


@dataclass(frozen=True, slots=True)
class DeclaredText:
    """A text, or how one begins."""

    text: str
    is_whole: bool


DeclaredOperation: TypeAlias = Mapping[str, Node]
"""The members of a map that is to be an operation."""
MAX_RULES = 32
"""The API server reads all of them of each pod, within one budget."""
MAX_FIXES = 8
"""For each the API server writes a pod and reads it again, where it fixes pods itself."""
MAX_NAME = 63
"""Characters; a name is the value of a label of metrics, and stands in the pod's annotation."""
_PATH = ("policies", "own")
_KNOWN_EXPRESSIONS = 1024
"""A platform has at most 32 rules, with three expressions each; clusters share them."""
_QUANTITIES = (
    "a quantity in quotes, or a field that is one, such as resources.limits, resources.requests, "
    "overhead, emptyDir.sizeLimit"
)
"""The API server reads these before any rule does; of any other text of a pod, it would have to
read a quantity that keeps it busy for minutes."""
_ORDERED = 'names in quotes, such as ["a", "b"].filter(each, each in object.metadata.labels)'
"""An update is not denied where the message is as it was, which it is not in another order."""
_TYPES = {
    b"\x10\x00": "null",
    b"\x18\x01": "boolean",
    b"\x18\x02": "number",
    b"\x18\x04": "number",
    b"\x18\x05": "string",
}
"""Types of JSON, by how the evaluator writes those of CEL."""
_OF_MEMBERS = {b"2": "array", b":": "object"}
"""Likewise, by how it begins to write those with parameters."""


def check_custom_rules(draft: Draft) -> Iterator[Problem]:
    own = draft.cluster.policies.own
    fixes = sum(rule.apply is not None for rule in own.values())
    for count, bound, what in ((len(own), MAX_RULES, "rules"), (fixes, MAX_FIXES, "with apply")):
        if count > bound:
            yield Problem(_PATH, f"{count} {what}", f"at most {bound}")
    for name, rule in own.items():
        yield from _check_name((*_PATH, name), name)
        if all(draft.is_read((*_PATH, name, field)) for field in ("message", "messageExpression")):
            yield from _check_message((*_PATH, name), rule)
        for field, expression, returns in _expressions(rule):
            for fault in _faults(expression, returns):
                yield Problem((*_PATH, name, field), *fault)
    yield from _check_references(draft)
    yield from _check_fields(draft)


def _check_name(path: FieldPath, name: str) -> Iterator[Problem]:
    if name in set(RuleName):
        yield Problem(path, f"{name} is the name of a built-in rule", "a name of its own")
    elif not re.fullmatch(OWN_NAME, name) or len(name) > MAX_NAME:
        allowed = f"at most {MAX_NAME} characters such as no-host-network"
        yield Problem(path, f'"{name}" has the wrong format', allowed)


def _check_message(path: FieldPath, rule: CustomRule) -> Iterator[Problem]:
    given = [each for each in (rule.message, rule.message_expression) if each is not None]
    if len(given) != 1:
        what = "neither message nor messageExpression" if not given else "two messages"
        yield Problem(path, what, "either message or messageExpression")
    elif rule.message is not None and (fault := _text_fault(rule.message)):
        yield Problem((*path, "message"), fault, f"one line of 1 to {MAX_MESSAGE} characters")


def _text_fault(message: str) -> str:
    """Return why a text is not a message; empty where it is one."""
    unseen = next((letter for letter in message if not letter.isprintable()), "")
    if not message.strip():
        return "the message is empty"
    if "\n" in message:
        return f"the message has {len(message.splitlines())} lines"
    if unseen:
        return f"the message has the character U+{ord(unseen):04X}, which does not show"
    too_long = len(message) > MAX_MESSAGE
    return f"the message has {len(message)} characters" if too_long else ""


def _expressions(rule: CustomRule) -> Iterator[tuple[str, str, Returns]]:
    for field, expression, returns in (
        ("expression", rule.expression, Returns.BOOL),
        ("messageExpression", rule.message_expression, Returns.STRING),
        ("apply", rule.apply, Returns.OPERATIONS),
    ):
        if expression is not None:
            yield field, expression, returns


@lru_cache(_KNOWN_EXPRESSIONS)
def _faults(expression: str, returns: Returns) -> tuple[Fault, ...]:
    return tuple(faults.faults_in(expression, returns))


@lru_cache(_KNOWN_EXPRESSIONS)
def tree_of(expression: str) -> Node | None:
    """Return an expression as a tree; None where `check_custom_rules` says why there is none."""
    return faults.checked_tree(expression)


def _check_fields(draft: Draft) -> Iterator[Problem]:
    """Yield fields that no pod has, and texts that no rule is to read as quantities."""
    own = draft.cluster.policies.own
    if not own:
        return
    version = draft.cluster.kubernetes
    schema = PodSchema(load_pod_schema(version))
    for name, rule in own.items():
        for field, expression, _ in _expressions(rule):
            tree = tree_of(expression) if expression else None
            if tree is None:
                continue
            path = (*_PATH, name, field)
            read = fields_read(tree, schema)
            for unknown in read.unknown:
                what = f"{unknown.text} is no field of a pod of Kubernetes {version}"
                known = ", ".join(sorted(unknown.known)) or "none there: only objects have fields"
                yield Problem(path, what, known, nearest(unknown.name, unknown.known))
            for text in read.unbounded:
                what = f"{text} is read as a quantity, which is none to the API server"
                yield Problem(path, what, _QUANTITIES)
            for text in read.unordered if field == "messageExpression" else ():
                what = f"the message lists {text}, which the API server has in any order"
                yield Problem(path, what, _ORDERED)


def _check_references(draft: Draft) -> Iterator[Problem]:
    policies = draft.cluster.policies
    known = (*RuleName, *policies.own)
    # What could not be read is not unknown.
    if any(path[:2] == _PATH for path in draft.cut):
        return
    for index, exception in enumerate(policies.exceptions):
        if exception.rule not in known:
            what = f'unknown "{exception.rule}"'
            at = ("policies", "exceptions", index, "rule")
            yield Problem(at, what, ", ".join(known), nearest_rules(exception.rule, policies.own))
    for path, modes in _all_modes(draft):
        for name in modes:
            if name not in known:
                what = f'unknown name "{name}"'
                yield Problem(
                    (*path, name), what, ", ".join(known), nearest_rules(name, policies.own)
                )


def _all_modes(draft: Draft) -> Iterator[tuple[FieldPath, Mapping[str, Mode]]]:
    yield ("policies", "rules"), draft.cluster.policies.rules
    for team_name, team in draft.cluster.teams.items():
        for name, namespace in team.namespaces.items():
            yield ("teams", team_name, "namespaces", name, "rules"), namespace.rules


def check_custom_fixes(draft: Draft) -> Iterator[Problem]:
    """Yield what keeps an operation from being applied to any pod."""
    for name, rule in draft.cluster.policies.own.items():
        tree = tree_of(rule.apply) if rule.apply else None
        path = ("policies", "own", name, "apply")
        for operation in _declared_operations(tree) if tree is not None else ():
            yield from _check_members(path, operation)
            where = _declared(operation.get("path"))
            if where is not None:
                schema = PodSchema(load_pod_schema(draft.cluster.kubernetes))
                yield from _check_where(path, where, operation.get("value"), schema)


def _check_members(path: FieldPath, operation: DeclaredOperation) -> Iterator[Problem]:
    for name in operation:
        if name not in _MEMBERS:
            what = f'an operation has the member "{name}"'
            yield Problem(path, what, ", ".join(_MEMBERS), nearest(name, _MEMBERS))
            return
    op = _declared(operation.get("op"))
    needed = _MEMBERS if op is not None and op.text in ("add", "replace") else _MEMBERS[:2]
    for name in needed:
        if name not in operation:
            yield Problem(path, f"an operation has no {name}", ", ".join(needed))
    if op is not None and op.is_whole and op.text not in OPERATIONS:
        what = f'an operation has the op "{op.text}"'
        yield Problem(path, what, ", ".join(OPERATIONS), nearest(op.text, OPERATIONS))


def _check_where(
    path: FieldPath, where: DeclaredText, value: Node | None, schema: PodSchema
) -> Iterator[Problem]:
    first, *steps = where.text.split("/")
    if first or (not steps and where.is_whole):
        what = f'an operation has the path "{where.text}"'
        yield Problem(path, what, "one that begins with /, such as /metadata/labels/team")
        return
    if where.is_whole and where.text == _NAMESPACE:
        what = f'an operation has the path "{where.text}"'
        yield Problem(path, what, "any other: a pod stays in its namespace")
        return
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
    if value is not None and where.is_whole:
        yield from _check_value(path, above, value, part, schema)


def _is_element(schema: PodSchema, part: Part, step: str) -> bool:
    is_list = "items" in (schema.resolved(part) or {})
    return is_list and re.fullmatch(r"-|0|[1-9][0-9]*", step) is not None


def _check_value(
    path: FieldPath, above: str, value: Node, part: Part, schema: PodSchema
) -> Iterator[Problem]:
    """Yield what the API server cannot read as a part of a pod, which it then refuses."""
    while isinstance(value, Call) and value.function == "dyn":
        (value,) = value.arguments
    given = _TYPES.get(value.type) or _OF_MEMBERS.get(value.type[:1])
    known = (schema.resolved(part) or {}).get("type")
    allowed = [known] if isinstance(known, str) else known
    # The API server reads 5.0 as 5.
    read = ["number" if each == "integer" else each for each in allowed or ()]
    if given and allowed and given not in read:
        what = f"an operation gives {above} a value of the type {given}"
        yield Problem(path, what, " or ".join(allowed))
    elif isinstance(value, ListLiteral):
        for each in value.elements:
            yield from _check_value(path, f"{above}/-", each, schema.below(part), schema)
    elif isinstance(value, MapLiteral):
        fields = schema.fields(part) or {}
        for key, each in zip(value.keys, value.values, strict=True):
            name = key.text if isinstance(key, Constant) and key.text is not None else ""
            inner = fields.get(name) or schema.below(part)
            yield from _check_value(path, f"{above}/{name}", each, inner, schema)


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
        pairs = zip(names, node.values, strict=True)
        yield {name.text: value for name, value in pairs if name is not None}


def _declared(node: Node | None) -> DeclaredText | None:
    """Return a text, as far as it is written literally; None for what only evaluation tells."""
    match node:
        case Constant(text=str(text)):
            return DeclaredText(text, is_whole=True)
        case Call(function="dyn" | "string", arguments=(inner,)):
            return _declared(inner)
        case Call(function="_+_", arguments=(start, _)):
            begins = _declared(start)
            return begins and DeclaredText(begins.text, is_whole=False)
    return None
