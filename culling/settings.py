"""What culling must know of a cluster, as the JSON that the platform renders."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

Percent: TypeAlias = Annotated[int, Meta(ge=1, le=100)]


class Action(StrEnum):
    """What is done about an idle workload."""

    OBSERVE = "observe"
    """It is said what would be done."""
    END = "end"


class SettingsError(Exception):
    """What is wrong with settings."""


class _Part(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A part of the settings, in JSON in camel case."""


class Queries(_Part, frozen=True):
    """What Prometheus is asked, in PromQL; all but the last by the labels `namespace`, `pod`."""

    idle_gpus: str
    """GPUs of a pod that were not used for longer than their pool allows."""
    idle_minutes: str
    """Minutes since the last use of that of these GPUs which was used last."""
    held_gpus: str
    """GPUs that a pod holds, used or not."""
    capacity: str
    """All GPUs of the cluster, without labels."""


class Settings(_Part, frozen=True):
    """What culling must know of a cluster."""

    prometheus_url: str
    namespaces: tuple[str, ...]
    """Namespaces whose idle workloads end; all others are left alone."""
    action: Action
    max_percent: Percent
    """Percentage of the cluster's GPUs above which nothing ends."""
    queries: Queries


def read_settings(source: str | bytes) -> Settings:
    """Read settings from JSON; raises SettingsError."""
    try:
        return msgspec.json.decode(source, type=Settings)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError(str(error)) from error


def write_settings(settings: Settings) -> str:
    return msgspec.json.format(msgspec.json.encode(settings), indent=2).decode() + "\n"
