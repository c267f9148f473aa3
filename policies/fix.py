"""The operations that fixes put together, whatever is in the pod already."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from gpus.platform_names import FIXED
from policies.cel.patch import append_in_cel, object_literal, put_in_cel
from policies.cel.text import quote
from policies.document import Document, Json, escaped, pointer, text
from policies.operation import Operation
from policies.pod import REQUIRED, Pod

MAX_ANNOTATIONS_SIZE = 256 * 1024
"""Bytes of all names and values; the API server refuses more.
Source: `TotalAnnotationSizeLimitB` in
https://github.com/kubernetes/apimachinery/blob/v0.37.1/pkg/api/validation/objectmeta.go"""
MOST_BYTES = 4
"""Bytes of one character in UTF-8, at most."""
_Fix = tuple[Operation, ...]


def put(parent: Json, at: str, names: tuple[str, ...], value: Json) -> _Fix:
    """Return the operation that sets a member, with the objects above it where they are missing.

    `at` is the JSON Pointer of the parent; the names lead on from there. Empty where what is above
    the member is not an object: a malformed pod is left to the API server's validation.
    """
    return put_all(parent, at, names[:-1], {names[-1]: value})


def put_all(parent: Json, at: str, names: tuple[str, ...], additions: Mapping[str, Json]) -> _Fix:
    """Return the operations that set several members of an object, created where it is missing."""
    here, depth = _reach(parent, names)
    if type(here) is not dict:
        return ()
    if depth < len(names):
        return _made(at, names, depth, dict(additions))
    above = at + _place(names)
    return tuple(
        [Operation("add", f"{above}/{escaped(name)}", value) for name, value in additions.items()]
    )


def append(parent: Json, at: str, names: tuple[str, ...], values: Sequence[Json]) -> _Fix:
    """Return the operations that append to an array, which is created where it is missing."""
    here, depth = _reach(parent, names)
    if depth < len(names):
        return _made(at, names, depth, list(values)) if type(here) is dict else ()
    if type(here) is not list:
        return ()
    end = f"{at}{_place(names)}/-"
    return tuple([Operation("add", end, value) for value in values])


def _reach(here: Json, names: tuple[str, ...]) -> tuple[Json, int]:
    """Follow the names as far as they lead; return what is there, and how many were followed."""
    for depth, name in enumerate(names):
        below = here.get(name) if type(here) is dict else None
        if below is None:
            return here, depth
        here = below
    return here, len(names)


def _made(at: str, names: tuple[str, ...], depth: int, value: Json) -> _Fix:
    """Return the operation that creates everything below that depth, the value innermost."""
    for name in reversed(names[depth + 1 :]):
        value = {name: value}
    return (Operation("add", at + _place(names[: depth + 1]), value),)


@lru_cache(maxsize=256)
def _place(names: tuple[str, ...]) -> str:
    """Return the JSON Pointer; the names come from rules, never from a pod."""
    return pointer(*names)


def annotate(pod: Pod, name: str, value: str) -> _Fix:
    """Return the operation that writes an annotation.

    Empty where it would be too much for the API server, which would refuse the pod for an
    annotation that its author never wrote.
    """
    if not _has_room(pod, name, value):
        return ()
    return put(pod.document, "", ("metadata", "annotations", name), value)


def _has_room(pod: Pod, name: str, value: str) -> bool:
    added = len(name) + len(value)
    others = {key: text(other) for key, other in pod.annotations.items() if key != name}
    characters = added + sum([len(key) + len(other) for key, other in others.items()])
    if characters * MOST_BYTES <= MAX_ANNOTATIONS_SIZE:
        return True
    encoded = [len(_bytes(key)) + len(_bytes(other)) for key, other in others.items()]
    return added * MOST_BYTES + sum(encoded) <= MAX_ANNOTATIONS_SIZE


def _bytes(part: str) -> bytes:
    return part.encode(errors="surrogatepass")


def name_in_annotation(pod: Pod, rules: Iterable[str]) -> _Fix:
    """Return the operation that names the rules, after those that are named already.

    Empty where the pod has no room for it.
    """
    before = text(pod.annotations.get(FIXED))
    names = [*(before.split(",") if before else ()), *rules]
    value = ",".join(dict.fromkeys(names))
    return annotate(pod, FIXED, value)


TERMS = ("spec", "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
"""Where a pod states terms; its node must meet one of them."""


def add_term(pod: Pod, expressions: Sequence[Document]) -> _Fix:
    """Return the operations that require these of the node of a pod without any term."""
    term: Document = {"matchExpressions": list(expressions)}
    return append(pod.document, "", TERMS, [term])


def add_to_term(pod: Pod, index: int, expressions: Sequence[Document]) -> _Fix:
    """Return the operations by which a term requires these, too."""
    term = pod.stated_node_terms[index]
    return append(term, f"{pointer(*TERMS)}/{index}", ("matchExpressions",), expressions)


def required(key: str, operator: str, values: str) -> str:
    """Return a requirement of a label; its values are CEL."""
    return object_literal({"key": quote(key), "operator": quote(operator), "values": values})


def required_of_node(requirements: str, lacking: str) -> str:
    """Return CEL for the operations that require something of the node.

    `requirements` are those of a pod without any term, `lacking` those that a `term` lacks. Nothing
    that the pod says is written again: CEL makes no JSON of the objects that the API server has.
    """
    first = put_in_cel(TERMS, f"[{object_literal({'matchExpressions': requirements})}]")
    at = f'{quote(pointer(*TERMS))} + "/" + string(index) + "/matchExpressions"'
    appended = append_in_cel("has(term.matchExpressions)", at, "lacking")
    return (
        f"size({requirements}) == 0 ? []"
        f" : size(variables.stated_terms) == 0 ? [{first}]"
        " : lists.range(size(variables.stated_terms)).map(index,"
        f" [variables.stated_terms[index]].map(term, [{lacking}].map(lacking,"
        f" size(lacking) == 0 ? [] : {appended}).flatten()).flatten()).flatten()"
    )
