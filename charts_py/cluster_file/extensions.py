"""Extensions: what a cluster adds to its rendered objects, or changes in them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from charts_py.cluster_file.bounds import Refused
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import JsonPointer

ConstructReference = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$",
        examples=["extra_charts:build"],
    ),
]


_ARGUMENTS: Mapping[str, str | None] = {
    "add": "value",
    "remove": None,
    "replace": "value",
    "move": "from",
    "copy": "from",
    "test": "value",
}
"""What each operation needs in addition to its path."""


class PatchOperation(StrictModel):
    """One operation of a JSON Patch (https://www.rfc-editor.org/rfc/rfc6902)."""

    op: Literal["add", "remove", "replace", "move", "copy", "test"]
    """What to do."""
    path: JsonPointer
    """JSON Pointer to the target."""
    value: Any = None
    """New or expected value, for `add`, `replace` and `test`."""
    from_: JsonPointer | None = Field(default=None, alias="from")
    """JSON Pointer to the source, for `move` and `copy`."""

    @model_validator(mode="after")
    def _has_what_its_operation_needs(self) -> "PatchOperation":
        needed = _ARGUMENTS[self.op]
        allowed = ", ".join(name for name in ("op", "path", needed) if name)
        given = {field.rstrip("_") for field in self.model_fields_set}
        if needed and needed not in given:
            raise Refused(f'"{self.op}" without "{needed}"', allowed)
        for name in sorted(given - {"op", "path", needed}):
            raise Refused(f'"{self.op}" with "{name}"', allowed)
        return self


class Patch(StrictModel):
    """A change to rendered objects; one that matches nothing is an error."""

    kind: str = Field(min_length=1)
    """Kind of the objects."""
    name: str = Field(min_length=1)
    """Their name."""
    namespace: str | None = None
    """Their namespace; any by default."""
    operations: tuple[PatchOperation, ...] = Field(min_length=1)
    """Applied in order."""


class Extensions(StrictModel):
    """What a cluster adds to its rendered objects, or changes in them."""

    manifests: str | None = Field(default=None, pattern=r"^[^/]", examples=["training.manifests"])
    """Folder next to the cluster file whose YAML is rendered, validated and synced like the
    rest. A CustomResourceDefinition in it also brings the schema of its kinds."""
    patches: tuple[Patch, ...] = ()
    """Changes to rendered objects."""
    constructs: tuple[ConstructReference, ...] = ()
    """Functions as `module:function`, called with a cdk8s Chart and the Platform. Modules are
    imported from the folder of the cluster file."""
