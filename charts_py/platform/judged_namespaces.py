"""Selectors of namespaces: those whose pods the rules look at, those of teams, and some."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from gpus.platform_names import TEAM
from policies.settings import ALWAYS_EXEMPT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from policies.settings import Settings

TEAM_NAMESPACES: Mapping[str, Any] = {"matchExpressions": [{"key": TEAM, "operator": "Exists"}]}
"""What selects the namespaces of teams."""


def judged_namespaces(settings: Settings) -> Mapping[str, Any]:
    """Return what selects all namespaces but those that are exempt."""
    exempt = sorted(ALWAYS_EXEMPT.union(settings.exempt_namespaces))
    expression = {"key": NAMESPACE_NAME_LABEL, "operator": "NotIn", "values": exempt}
    return {"matchExpressions": [expression]}


def only(namespaces: Iterable[str]) -> Mapping[str, Any]:
    """Return what selects these namespaces."""
    expression = {"key": NAMESPACE_NAME_LABEL, "operator": "In", "values": list(namespaces)}
    return {"matchExpressions": [expression]}
