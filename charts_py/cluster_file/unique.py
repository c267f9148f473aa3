"""Lists without duplicate items."""

from dataclasses import dataclass

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from charts_py.cluster_file.refused import Refused


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


def _unique(items: tuple[str, ...]) -> tuple[str, ...]:
    repeated = sorted({item for item in items if items.count(item) > 1})
    if repeated:
        raise Refused(f"listed more than once: {', '.join(repeated)}", "each once")
    return items
