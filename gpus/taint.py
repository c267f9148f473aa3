"""Taints on nodes."""

from __future__ import annotations

from msgspec import Struct

NO_SCHEDULE = "NoSchedule"
NO_EXECUTE = "NoExecute"


class Taint(Struct, frozen=True, forbid_unknown_fields=True):
    """A taint, with the fields of the Kubernetes core API (`v1.Taint`)."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}"
