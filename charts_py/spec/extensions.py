"""Ways out: what a cluster adds to, or changes in, what is emitted for it."""

from typing import Any, Literal

from pydantic import Field, model_validator

from charts_py.spec.strict_model import StrictModel


class PatchOperation(StrictModel):
    """One operation of a JSON Patch (https://www.rfc-editor.org/rfc/rfc6902)."""

    op: Literal["add", "remove", "replace", "move", "copy", "test"]
    """What to do."""
    path: str = Field(pattern=r"^(/.*)?$")
    """JSON Pointer to where."""
    value: Any = None
    """New or expected value, for `add`, `replace` and `test`."""
    from_: str | None = Field(default=None, alias="from", pattern=r"^(/.*)?$")
    """JSON Pointer to the source, for `move` and `copy`."""

    @model_validator(mode="after")
    def _has_what_its_operation_needs(self) -> "PatchOperation":
        needs_value = self.op in {"add", "replace", "test"}
        if needs_value and "value" not in self.model_fields_set:
            raise ValueError(f'"{self.op}" needs a value')
        if self.op in {"move", "copy"} and self.from_ is None:
            raise ValueError(f'"{self.op}" needs from')
        return self


class Patch(StrictModel):
    """A change of emitted objects; one that hits nothing is an error."""

    kind: str = Field(min_length=1)
    """Kind of the objects."""
    name: str = Field(min_length=1)
    """Their name."""
    namespace: str | None = None
    """Their namespace; absent, any."""
    operations: tuple[PatchOperation, ...] = Field(min_length=1)
    """Applied in order."""


class Extensions(StrictModel):
    """What a cluster adds to, or changes in, what is emitted for it."""

    manifests: str | None = None
    """Folder beside the cluster file whose YAML is rendered, validated and synced like the
    rest. A CustomResourceDefinition in it also brings the schema of its kinds."""
    patches: tuple[Patch, ...] = ()
    """Changes of emitted objects."""
    constructs: tuple[str, ...] = ()
    """Functions as `module:function`, called with a cdk8s Chart and the Platform; modules are
    found beside the cluster file."""
