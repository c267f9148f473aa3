"""A rule that a platform team writes in CEL, as the settings hold it."""

from enum import StrEnum

from msgspec import Struct


class CustomName(str):
    """The name of a custom rule; it reads like a member of `RuleName`."""

    __slots__ = ()

    @property
    def value(self) -> str:
        return str(self)


class CustomSeverity(StrEnum):
    """What happens to a pod that does not pass."""

    REFUSE = "refuse"
    WARN = "warn"


class CustomAudience(StrEnum):
    """Which pods a rule looks at."""

    GPU_PODS = "gpu-pods"
    ALL_PODS = "all-pods"


class CustomRule(
    Struct, frozen=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True
):
    """A rule that a platform team writes in CEL."""

    name: str
    expression: str
    """CEL that is true of a pod that passes."""
    message: str = ""
    """The message to the author of a pod that does not; empty where an expression makes it."""
    message_expression: str = ""
    severity: CustomSeverity = CustomSeverity.REFUSE
    audience: CustomAudience = CustomAudience.GPU_PODS
    apply: str = ""
    """CEL that returns the operations which make a new pod pass; empty where nothing does."""

    @property
    def summary(self) -> str:
        """What a list of rules says of it."""
        return self.message or f"Messages: {self.message_expression}"
