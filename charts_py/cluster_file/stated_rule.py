"""The name of a rule in a cluster file: one of those that exist, or of its own."""

from typing import Annotated, TypeAlias

from pydantic import WithJsonSchema

from policies.rule_name import RuleName

OWN_NAME = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
"""Names of rules of the platform team's own."""

_OWN = {"pattern": OWN_NAME, "examples": ["no-host-network"]}
StatedRule: TypeAlias = Annotated[
    str, WithJsonSchema({"type": "string", "anyOf": [{"enum": [*RuleName]}, _OWN]})
]
"""Whether there is a rule of that name, the checks of the whole file know."""
