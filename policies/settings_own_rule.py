"""Rules of the platform team's own, as settings state them."""

from enum import StrEnum

from msgspec import Struct


class OwnSeverity(StrEnum):
    """What happens to a pod that does not pass."""

    REFUSE = "refuse"
    WARN = "warn"


class OwnAudience(StrEnum):
    """Which pods a rule looks at."""

    GPU_PODS = "gpu-pods"
    ALL_PODS = "all-pods"


class OwnRule(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    """A rule of the platform team's own."""

    name: str
    expression: str
    """CEL: true of a pod that passes."""
    message: str = ""
    """The message to the author of one that does not; empty where an expression makes it."""
    message_expression: str = ""
    """CEL: the message."""
    severity: OwnSeverity = OwnSeverity.REFUSE
    audience: OwnAudience = OwnAudience.GPU_PODS
    apply: str = ""
    """CEL: the operations that make a new pod pass; empty where nothing does."""
