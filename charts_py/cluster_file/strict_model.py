"""The model that every part of a cluster file is made of."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise, takewhile
from types import ModuleType

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


class StrictModel(BaseModel):
    """A frozen part of the cluster file that refuses unknown fields.

    Field names are camelCase in YAML, as in Kubernetes manifests. The docstring under a field is
    its description in the JSON schema and in the reference.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        # Otherwise each of more than a hundred parts builds what only the whole is read by.
        defer_build=True,
        extra="forbid",
        frozen=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the JSON schema, in which fields are described."""
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, text in field_docstrings(cls).items():
            for key in {name, cls.model_fields[name].alias} & properties.keys():
                properties[key].setdefault("description", text)
        return schema


def field_docstrings(model: type[BaseModel]) -> Mapping[str, str]:
    """Return the docstring under each field of a model and of those that it extends, by its name.

    `use_attribute_docstrings` would have Pydantic read the source of every model as it is defined,
    which is a fifth of the time in which a command starts.
    """
    found: dict[str, str] = {}
    for each in reversed([*takewhile(lambda each: each is not BaseModel, model.__mro__)]):
        found |= _in_module(sys.modules[each.__module__]).get(each.__qualname__, {})
    return found


@cache
def _in_module(module: ModuleType) -> Mapping[str, Mapping[str, str]]:
    """Return the docstrings of fields by class; none of a module without a source."""
    try:
        body = ast.parse(inspect.getsource(module)).body
    except (OSError, TypeError):
        return {}
    return {each.name: dict(_of_class(each)) for each in body if isinstance(each, ast.ClassDef)}


def _of_class(definition: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in pairwise(definition.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
