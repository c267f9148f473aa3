"""The namespaces that a rule is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.settings import Settings


def is_in(namespaces: Iterable[str]) -> str:
    """Return CEL for whether the pod is in one of the namespaces."""
    return f"request.namespace in {texts(namespaces)}"


def of_purpose(purpose: str, settings: Settings) -> tuple[str, ...]:
    """Return the names of the namespaces that are for a purpose."""
    return tuple(name for name, each in settings.namespaces.items() if each.purpose == purpose)
