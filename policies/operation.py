"""One operation of a JSON Patch (https://www.rfc-editor.org/rfc/rfc6902)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from policies.document import Json

if TYPE_CHECKING:
    from policies.document import Document

OperationName: TypeAlias = Literal["add", "replace", "remove"]


class Operation(NamedTuple):
    """One operation of a JSON Patch; a tuple, which takes a quarter of a dataclass to make."""

    op: OperationName
    path: str
    """JSON Pointer to the place that it changes."""
    value: Json = None
    """What is added or put in place; unused by `remove`."""

    def to_json(self) -> Document:
        """Return the operation as RFC 6902 spells it."""
        if self.op == "remove":
            return {"op": self.op, "path": self.path}
        return {"op": self.op, "path": self.path, "value": self.value}
