"""Texts of a pod in messages, as `policies.document.shown` has them."""

from policies.document import MAX_LISTED, MAX_SHOWN_LENGTH
from policies.in_cel.literal import text

_PRINTABLE = text(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$")
"""All but what Unicode calls other, or a separator: `str.isprintable`."""
_FIRST = f"{list(range(MAX_LISTED))}.filter(at, at < size(names))"
_PLACES = str(list(range(32)))
_BYTES = '"%x".format([letter]).findAll("..").join("\\\\x")'
_ESCAPED = (
    f'said.split("").map(letter, letter.matches({_PRINTABLE}) ? letter : "\\\\x" + {_BYTES})'
    '.join("")'
)


def shortened(expression: str) -> str:
    """Return CEL for a string that is printable in any case, such as a name, in a message."""
    kept = MAX_SHOWN_LENGTH - 3
    return (
        f"(size({expression}) <= {MAX_SHOWN_LENGTH} ? {expression}"
        f' : {expression}.substring(0, {kept}) + "...")'
    )


def shown(expression: str) -> str:
    """Return CEL for a string of the pod in a message: short and printable."""
    read = MAX_SHOWN_LENGTH + 1
    return (
        f"[{expression}].map(said, size(said) > {read} ? said.substring(0, {read}) : said)"
        f".map(said, said.matches({_PRINTABLE}) ? said : {_ESCAPED})"
        f".map(said, {shortened('said')})[0]"
    )


def listed(expression: str, joint: str = ", ") -> str:
    """Return CEL for a list of strings of the pod in a message: a few, and how many more."""
    few = f"{_FIRST}.map(at, {shown('names[at]')}).join({text(joint)})"
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
