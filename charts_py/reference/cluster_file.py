"""The reference of the cluster file, field by field, from its model."""

import json
from collections.abc import Iterator
from typing import Any, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from charts_py.load import FLEET_FILE
from charts_py.reference.field_type import models_in, type_in_words
from charts_py.spec.cluster import Cluster

_INTRODUCTION = f"""\
# The cluster file

One file a cluster under `clusters/`; the cluster's name is the file's. `{FLEET_FILE}` beside them
holds what clusters share: any field of this page, on any level. A cluster file is laid over it
mapping by mapping; lists and plain values replace the fleet's as a whole.

Files are YAML 1.2. A field that is not listed here is an error. Editors complete and check the
fields with the schemas under `schemas/`.
"""

_BOUNDS = {
    "ge": "at least {}",
    "gt": "more than {}",
    "le": "at most {}",
    "lt": "less than {}",
    "min_length": "length at least {}",
    "pattern": "`{}`",
}
"""Attributes of annotated-types and pydantic constraints, in words."""

_LONGEST_DEFAULT = 60
"""Characters; a longer default is described in the field's meaning."""


def cluster_file_reference() -> str:
    """Return the reference as Markdown."""
    sections = [_section(model, place) for model, place in places_of_models(Cluster).items()]
    return "\n".join([_INTRODUCTION, *sections])


def places_of_models(root: type[BaseModel], place: str = "") -> dict[type[BaseModel], str]:
    """Return a model and those that its fields lead to, with where they first stand in a file."""
    found = {root: place}
    for name, field in root.model_fields.items():
        below = f"{place}.{field.alias or name}".removeprefix(".")
        for model in models_in(field.annotation):
            for inner, where in places_of_models(
                model, f"{below}{_step(field.annotation)}"
            ).items():
                found.setdefault(inner, where)
    return found


def _section(model: type[BaseModel], place: str) -> str:
    where = f"`{place}`: " if place else ""
    lines = [f"## {model.__name__}", "", f"{where}{_joined(model.__doc__)}", ""]
    lines += ["| Field | Type | Default | Meaning |", "|---|---|---|---|"]
    lines += _rows(model)
    return "\n".join([*lines, ""])


def _step(annotation: Any) -> str:
    """Return what stands between a field and a model in its values."""
    return {dict: ".<name>", tuple: "[]"}.get(get_origin(annotation), "")


def _rows(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        cells = (
            f"`{field.alias or name}`",
            "; ".join([type_in_words(field), *_bounds(field)]),
            _default(field),
            _joined(field.description),
        )
        escaped = (cell.replace("|", r"\|") for cell in cells)
        yield f"| {' | '.join(escaped)} |"


def _bounds(field: FieldInfo) -> Iterator[str]:
    for constraint in field.metadata:
        for attribute, words in _BOUNDS.items():
            bound = getattr(constraint, attribute, None)
            if bound is not None:
                yield words.format(bound)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True, validated_data={})
    if value is None:
        return "none"
    if isinstance(value, BaseModel):
        return "its defaults"
    shown = json.dumps(_as_json(value))
    return f"`{shown}`" if len(shown) <= _LONGEST_DEFAULT else "see there"


def _as_json(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, dict):
        return {str(key): _as_json(member) for key, member in value.items()}
    return value


def _joined(text: str | None) -> str:
    return " ".join((text or "").split())
