"""The type of a field of the cluster file, in words."""

from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from charts_py.spec.quantity import Quantity
from charts_py.spec.semantic_version import SemanticVersion

_PLAIN: dict[Any, tuple[str, str]] = {
    str: ("text", "texts"),
    int: ("whole number", "whole numbers"),
    float: ("number", "numbers"),
    bool: ("`true` or `false`", "truth values"),
    Any: ("any value", "values"),
}
"""Words for one and for many."""

_NAMED: dict[Any, str] = {
    Quantity: "quantity, as `512Gi`",
    SemanticVersion: "semantic version",
}


def type_in_words(field: FieldInfo) -> str:
    """Return the type of a field; models are links to their sections."""
    for annotation, words in _NAMED.items():
        checked = get_args(annotation)[1]
        if checked in field.metadata:
            return words
    return _words(field.annotation)


def model_anchor(model: type[BaseModel]) -> str:
    """Return the link to the section of a model."""
    return f"[{model.__name__}](#{model.__name__.lower()})"


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """Return the models that an annotation names."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in models_in(inner)]


def _words(annotation: Any, *, many: bool = False) -> str:
    annotation = _bare(annotation)
    if annotation in _NAMED:
        return _NAMED[annotation]
    if annotation in _PLAIN:
        return _PLAIN[annotation][many]
    if get_origin(annotation) is dict:
        key, value = get_args(annotation)
        return f"mapping from {_key(key)} to {_words(value)}"
    if get_origin(annotation) is tuple:
        return f"list of {_words(get_args(annotation)[0], many=True)}"
    if get_origin(annotation) is Literal:
        return _choice(get_args(annotation))
    if issubclass(annotation, BaseModel):
        return model_anchor(annotation)
    if issubclass(annotation, Enum):
        return _choice([member.value for member in annotation])
    return str(annotation.__name__)


def _bare(annotation: Any) -> Any:
    """Return an annotation in its words' form: named types kept, None and bounds left out."""
    if annotation in _NAMED:
        return annotation
    if get_origin(annotation) in (Union, UnionType):
        return _bare(next(m for m in get_args(annotation) if m is not type(None)))
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    return annotation


def _key(annotation: Any) -> str:
    is_choice = isinstance(annotation, type) and issubclass(annotation, Enum)
    return _words(annotation) if is_choice else "name"


def _choice(values: Any) -> str:
    return "one of " + ", ".join(f"`{value}`" for value in values)
