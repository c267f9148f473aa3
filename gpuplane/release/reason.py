"""Why a version may not go live."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """What refuses it."""

    CHAIN = "chain"
    FREEZE = "freeze"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a version may not go live."""

    rule: Rule
    what: str
    ends: dt.datetime | None = None
    """When it ceases to be a reason, if nothing else changes; None where that is open."""

    def __str__(self) -> str:
        end = "" if self.ends is None else f"; ends at {in_words(self.ends)}"
        return f"{self.rule}: {self.what}{end}"


def in_words(instant: dt.datetime) -> str:
    """Return a point in time as messages show it, in its own time zone."""
    return instant.isoformat(timespec="minutes").replace("+00:00", "Z")
