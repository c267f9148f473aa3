"""The model that every part of a cluster file is made of."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class StrictModel(BaseModel):
    """A frozen part of the cluster file that refuses unknown fields.

    Field names are camelCase in YAML, as in Kubernetes manifests. The docstring under a field is
    its description in the JSON schema and in the reference.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
