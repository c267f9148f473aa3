"""What culling must know of a cluster."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta

from rounds.settings import Part

Percent: TypeAlias = Annotated[int, Meta(ge=1, le=100)]


class Action(StrEnum):
    """What is done about an idle workload."""

    OBSERVE = "observe"
    """It is said what would be done."""
    END = "end"


class Queries(Part, frozen=True):
    """What Prometheus is asked, in PromQL; all but the last by the labels `namespace`, `pod`."""

    idle_gpus: str
    """GPUs of a pod that were not used for longer than their pool allows."""
    idle_minutes: str
    """Minutes since the last use of that of these GPUs which was used last."""
    held_gpus: str
    """GPUs that a pod holds, used or not."""
    capacity: str
    """All GPUs of the cluster, without labels."""


class Settings(Part, frozen=True):
    """What culling must know of a cluster."""

    prometheus_url: str
    namespaces: tuple[str, ...]
    """Namespaces whose idle workloads end; all others are left alone."""
    action: Action
    max_percent: Percent
    """Percentage of the cluster's GPUs above which nothing ends."""
    queries: Queries
