"""What a detector looks at, as files of its configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "/custom-config"
"""Where the chart mounts what `custom_monitor_definitions` holds."""


class MonitorKind(StrEnum):
    """What reads a monitor's file, as the chart's `settings` call it."""

    LOG = "log_monitors"
    """Matches lines of a log."""
    CUSTOM_PLUGIN = "custom_plugin_monitors"
    """Runs scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """A monitor with what it needs of the node."""

    kind: MonitorKind
    file: str
    content: str
    """JSON."""
    scripts: Mapping[str, str] = field(default_factory=dict)
    """By the name of their file."""
    volumes: tuple[Mapping[str, Any], ...] = ()
    mounts: tuple[Mapping[str, Any], ...] = ()
    is_privileged: bool = False
    """Whether it opens a device of the node, which containers without privileges cannot."""
