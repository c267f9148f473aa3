"""Literals of CEL (https://github.com/google/cel-spec/blob/master/doc/langdef.md#values)."""

import json
from collections.abc import Iterable, Mapping

from policies.document import MAX_LISTED, MAX_SHOWN_LENGTH
from policies.rule_name import RuleName


def quote(value: str) -> str:
    return json.dumps(value)


_PRINTABLE = quote(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$")
"""All but what Unicode calls other, or a separator: `str.isprintable`."""
_FIRST = f"{list(range(MAX_LISTED))}.filter(at, at < size(names))"
_PLACES = str(list(range(32)))
_BYTES = '"%x".format([letter]).findAll("..").join("\\\\x")'
_ESCAPED = (
    f'said.split("").map(letter, letter.matches({_PRINTABLE}) ? letter : "\\\\x" + {_BYTES})'
    '.join("")'
)


def texts(values: Iterable[str]) -> str:
    """Return a list of strings, sorted, so that equal sets have equal texts."""
    return json.dumps(sorted(values))


def texts_in_order(values: Iterable[str]) -> str:
    return json.dumps(list(values))


def lines(members: Mapping[str, object]) -> str:
    """Return a map, a line each member, so that a diff shows which of them changed.

    The API server takes maps only whose values are all of one type
    (`HomogeneousAggregateLiterals` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/cel/environment/base.go).
    """
    return json.dumps(members, indent=1, sort_keys=True)


def joined(findings: str, rule: RuleName) -> str:
    """Return CEL for several findings in one container as one string.

    Each after the first has the name of the rule before it. That is in place of a list of lists,
    which CEL can flatten since Kubernetes 1.34 alone.
    """
    return f"{findings}.join({quote(f' {rule.value}: ')})"


def shortened(expression: str) -> str:
    """Return CEL for a string that is printable in any case, such as a name, in a message."""
    kept = MAX_SHOWN_LENGTH - 3
    return (
        f"(size({expression}) <= {MAX_SHOWN_LENGTH} ? {expression}"
        f' : {expression}.substring(0, {kept}) + "...")'
    )


PRINTABLE = f"map(said, said.matches({_PRINTABLE}) ? said : {_ESCAPED})"
"""CEL on a list of strings: each as `policies.document.printable` writes it."""


def shown_in_cel(expression: str) -> str:
    """Return CEL for a string of the pod in a message: short and printable."""
    read = MAX_SHOWN_LENGTH + 1
    return (
        f"[{expression}].map(said, size(said) > {read} ? said.substring(0, {read}) : said)"
        f".{PRINTABLE}.map(said, {shortened('said')})[0]"
    )


def listed_in_cel(expression: str, joint: str = ", ") -> str:
    """Return CEL for a list of strings of the pod in a message: a few, and how many more."""
    few = f"{_FIRST}.map(at, {shown_in_cel('names[at]')}).join({quote(joint)})"
    return (
        f"[{expression}].map(names, size(names) <= {MAX_LISTED} ? {few}"
        f' : {few} + " and " + string(size(names) - {MAX_LISTED}) + " more")[0]'
    )


def in_order(names: str) -> str:
    """Return CEL for the keys of a map by name: the API server has them in any order.

    It cannot sort before 1.34. Of more than a pod can reasonably have, the last are left out.
    """
    rank = "size(names.filter(other, other < name))"
    placed = f"{_PLACES}.filter(at, at < size(names)).map(at, names.filter(name, {rank} == at)[0])"
    return f"[{names}].map(names, size(names) < 2 ? names : {placed})[0]"
