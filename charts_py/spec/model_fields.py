"""Finding the part of the model that a path of the cluster file leads to."""

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from charts_py.spec.fault import FieldPath


def model_at(root: type[BaseModel], path: FieldPath) -> type[BaseModel] | None:
    """Return the model that stands at a path, or None where a plain value does."""
    current: Any = root
    for step in path:
        current = _inside(current, step)
        if current is None:
            return None
    current = _plain(current)
    return current if isinstance(current, type) and issubclass(current, BaseModel) else None


def names_of(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the names of a model's fields as YAML writes them, in their order."""
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _inside(annotation: Any, step: str | int) -> Any:
    """Return the annotation of what `step` leads to, or None."""
    annotation = _plain(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = annotation.model_fields.items()
        return next((f.annotation for name, f in fields if step == (f.alias or name)), None)
    if get_origin(annotation) is dict:
        return get_args(annotation)[1]
    if get_origin(annotation) is tuple:
        return get_args(annotation)[0]
    return None


def _plain(annotation: Any) -> Any:
    """Return an annotation without Annotated and without None."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        return _plain(members[0])
    return annotation
