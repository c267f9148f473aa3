"""Taints on nodes."""

from __future__ import annotations

from dataclasses import dataclass

NO_SCHEDULE = "NoSchedule"


@dataclass(frozen=True, slots=True)
class Taint:
    """A taint, spelled as in the Kubernetes core API (`v1.Taint`)."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}"
