"""Random JSON Patches that apply to a document."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from policies.apply import apply, copied
from policies.document import pointer
from policies.operation import Operation, OperationName
from tests.gpuplane.edits.rendered_documents import NAMES, VALUES

OPERATIONS: tuple[OperationName, ...] = ("add", "replace", "remove")


@st.composite
def patches(draw: st.DrawFn, content: Any, most: int = 3) -> list[Operation]:
    """Draw a patch that leaves the document with a field."""
    content, found = copied(content), []
    for _ in range(draw(st.integers(1, most))):
        operation = draw(_operations(content))
        after = copied(content)
        apply(after, [operation])
        if after:
            content = after
            found.append(operation)
    return found


@st.composite
def _operations(draw: st.DrawFn, content: Any) -> Operation:
    holders = [(path, value) for path, value in paths(content) if isinstance(value, (dict, list))]
    path, holder = draw(st.sampled_from(holders))
    there = list(holder) if isinstance(holder, dict) else range(len(holder))
    op: OperationName = draw(st.sampled_from(OPERATIONS if there else OPERATIONS[:1]))
    if op == "remove":
        return Operation(op, f"{path}{pointer(draw(st.sampled_from(there)))}")
    if op == "replace":
        return Operation(op, f"{path}{pointer(draw(st.sampled_from(there)))}", draw(VALUES))
    places = NAMES if isinstance(holder, dict) else st.sampled_from((*range(len(holder) + 1), "-"))
    return Operation(op, f"{path}{pointer(draw(places))}", draw(VALUES))


def paths(content: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value of a document with the JSON Pointer to it."""
    yield path, content
    if isinstance(content, dict):
        for name, value in content.items():
            yield from paths(value, f"{path}{pointer(name)}")
    elif isinstance(content, list):
        for index, value in enumerate(content):
            yield from paths(value, f"{path}/{index}")
