"""The namespaces that a rule is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from policies.settings import Settings


def of_purpose(purpose: str, settings: Settings) -> tuple[str, ...]:
    """Return the names of the namespaces that are for a purpose."""
    return tuple(name for name, each in settings.namespaces.items() if each.purpose == purpose)
