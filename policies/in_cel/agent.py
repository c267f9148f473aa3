"""Agents in CEL: DaemonSets outside the namespaces of teams, such as those that watch every GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.namespaces import is_in

if TYPE_CHECKING:
    from policies.settings import Settings

_IS_OF_DAEMON_SET = (
    "object.metadata.?ownerReferences.orValue([]).exists(owner,"
    ' owner.?controller.orValue(false) && owner.kind == "DaemonSet")'
)


def is_of_agent(settings: Settings) -> str:
    """Return CEL for whether the pod is one of an agent."""
    return f"(!({is_in(settings.namespaces)}) && {_IS_OF_DAEMON_SET})"
