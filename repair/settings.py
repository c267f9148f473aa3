"""What repair must know of a cluster."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from rounds.settings import Part

Days: TypeAlias = Annotated[int, Meta(ge=1)]


class RepairAction(StrEnum):
    """What is done about a node that can be repaired."""

    OBSERVE = "observe"
    """It is said what would be done."""
    ACT = "act"


class Remedy(StrEnum):
    """What repairs a node."""

    REPLACE = "replace"
    """Its NodeClaim is deleted, upon which Karpenter drains and terminates the machine."""
    REBOOT = "reboot"


class Settings(Part, frozen=True):
    """What repair must know of a cluster."""

    action: RepairAction
    remedy: Remedy
    taint: str
    """Key of the taint of nodes that are set aside."""
    conditions: tuple[str, ...]
    """Types of the conditions that say what is broken."""
    most: Mapping[str, int]
    """By pool, how many nodes of it may be repaired within a day; others are left alone."""
    days: Mapping[str, Days]
    """By the reason of a condition, after how many days the remedy may be tried on a node once
    more. What has another reason is left to a person."""
    pod: dict[str, Any] | None = None
    """The pod that reboots a node, without what differs from node to node; none where the remedy is
    another, or repair only observes."""
