"""The model that every part of a cluster file is made of, and the bounds of its values."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema


class Refused(ValueError):  # noqa: N818 - it answers a wrong value, and is not an error of the program
    """What is wrong with a value and what is allowed, raised by the model's validators."""

    def __init__(
        self, what: str, allowed: str | None = None, nearest: tuple[str, ...] = ()
    ) -> None:
        super().__init__(what if allowed is None else f"{what}; allowed: {allowed}")
        self.what = what
        self.allowed = allowed
        self.nearest = nearest


def added_later(default: object) -> Any:
    """Return the default of a field that earlier releases do not know.

    Where it is at that, no version records it, so that those which were rendered before stay
    current.
    """
    return Field(default=default, exclude_if=lambda value: value == default)


@dataclass(frozen=True, slots=True)
class Unique:
    """Annotates a tuple of strings that must all differ."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(_unique, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), "uniqueItems": True}


# What is computed from these stays below 2**53: cdk8s writes what is above, as any JavaScript
# program would, in rounded exponents.
MAX_NODES = 100_000
"""Nodes of the largest cluster that a provider supports
(https://docs.aws.amazon.com/eks/latest/best-practices/scale-control-plane.html; GKE: 65,000)."""
MAX_PODS_PER_NODE = 256
"""The highest limit of any provider (GKE: https://cloud.google.com/kubernetes-engine/quotas)."""
MAX_ALLOCATIONS = MAX_NODES * MAX_PODS_PER_NODE
"""One for each pod that there can be."""
MAX_CPUS_PER_NODE = 8192
"""The most that Linux can be built for
(https://github.com/torvalds/linux, NR_CPUS of arch/x86/Kconfig)."""
MAX_GPUS_PER_NODE = 64
"""More than any machine in `gpus/tables/` has."""
MAX_INTERFACES_PER_NODE = 256
"""More than any machine in `gpus/tables/` has."""
MAX_NETWORK_CARDS = 64
"""Twice those of a p5.48xlarge, which has the most
(https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-eni.html#network-cards)."""
MAX_ADDRESSES_PER_INTERFACE = 256
"""More than any interface of those machines has."""
MAX_CPUS = MAX_NODES * MAX_CPUS_PER_NODE
MAX_BYTES = 2**60
"""1 EiB. Kubernetes itself counts to 8 EiB
(https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/)."""
MIN_BYTES = 2**20
"""1 MiB, less than any container needs."""
MIN_BYTES_OF_HARDWARE = 2**30
"""1 GiB, less than any machine or GPU in `gpus/tables/` has: each share of it is still something,
however many pods share the GPUs."""
MAX_PRICE = 10**9
"""More than the dearest machine costs in any currency of the G20."""
MAX_BUDGET = 10**15
"""More than the nodes of the largest cluster cost a month in any currency of the G20."""
MAX_EXCHANGE_RATE = 10**6
"""More units than a US dollar has in any currency."""
MAX_KILOWATTS = 1000
"""More than any rack draws."""
MAX_SHARE = 1000
"""Between the smallest team and the largest."""


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
    which takes a fifth of the time that a command needs to start.
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


def _unique(items: tuple[str, ...]) -> tuple[str, ...]:
    repeated = sorted({item for item in items if items.count(item) > 1})
    if repeated:
        raise Refused(f"listed more than once: {', '.join(repeated)}", "each once")
    return items
