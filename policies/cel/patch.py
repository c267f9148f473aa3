"""Operations of a JSON Patch in CEL: `policies.fix` has them in Python.

An operation is `[op, path, value]`, since mutations alone know the type JSONPatch, not the
variables of a policy. These call `flatten`, `distinct` and `lists.range`, which Kubernetes has
since 1.34, two versions before the policies that mutate:
https://kubernetes.io/docs/reference/using-api/cel/#cel-options-language-features-and-libraries
"""

from collections.abc import Mapping

from policies.cel.pod import OF_EPHEMERAL, containers_in, is_among
from policies.cel.text import quote
from policies.document import pointer


def _with_places(field: str) -> str:
    containers = containers_in(field)
    return (
        f"lists.range(size({containers})).map(index,"
        f' [dyn("/spec/{field}/" + string(index)), dyn({containers}[index])])'
    )


_STOOD_BEFORE = is_among(containers_in("ephemeralContainers", "oldObject"), "placed[1].name")
CONTAINERS_WITH_PLACES = (
    f"{OF_EPHEMERAL}"
    f" ? {_with_places('ephemeralContainers')}.filter(placed, !{_STOOD_BEFORE})"
    f" : {_with_places('initContainers')} + {_with_places('containers')}"
)
"""CEL for the containers that are fixed, each as `[pointer, container]`: those that a pod starts
with, or the ephemeral ones that are added to it."""


def token(name: str) -> str:
    return f'{name}.replace("~", "~0").replace("/", "~1")'


def add(path: str, value: str) -> str:
    """Return the operation that adds a value, or replaces the one that is there; both are CEL."""
    return f'[dyn("add"), dyn({path}), dyn({value})]'


def remove(path: str) -> str:
    return f'[dyn("remove"), dyn({path}), dyn(null)]'


def put_in_cel(names: tuple[str, ...], value: str) -> str:
    """Return the operation that sets a field, with the objects above it where they are missing."""
    written = add(quote(pointer(*names)), value)
    for depth in range(len(names) - 1, 1, -1):
        value = f"{{{quote(names[depth])}: {value}}}"
        above = names[:depth]
        absent = add(quote(pointer(*above)), value)
        written = f"(has(object.{'.'.join(above)}) ? {written} : {absent})"
    return written


def append_in_cel(present: str, at: str, values: str) -> str:
    """Return CEL for the operations that append to a list, which may be absent; all are CEL."""
    end = add(f'{at} + "/-"', "value")
    return f"({present} ? {values}.map(value, {end}) : [{add(at, values)}])"


def object_literal(fields: Mapping[str, str]) -> str:
    """Return an object whose members are of different types; their values are CEL."""
    return "{" + ", ".join(f"{quote(name)}: dyn({each})" for name, each in fields.items()) + "}"


def of_containers(condition: str, operations: str) -> str:
    """Return the operations on each `container` that the condition is true of.

    The JSON Pointer of each is `placed[0]`.
    """
    return (
        "variables.placed.map(placed, [placed[1]]"
        f".filter(container, {condition}).map(container, {operations}).flatten()).flatten()"
    )
