"""The model that every part of a cluster file is made of."""

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from charts_py.cluster_file.field_docstrings import field_docstrings


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
