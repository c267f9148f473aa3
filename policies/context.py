"""What a rule knows besides the pod."""

from __future__ import annotations

from dataclasses import dataclass

from policies.offer import Offer
from policies.settings import NamespaceSettings, Settings


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule knows besides the pod."""

    settings: Settings
    offer: Offer
    namespace_name: str
    namespace: NamespaceSettings | None
    """None where the namespace belongs to no team."""
