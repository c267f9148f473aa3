"""What became of a node that is set aside, as a line of the log and an Event."""

import datetime as dt
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from repair.node import Node
from repair.settings import Remedy
from rounds.event import event

_COMPONENT = "gpuplane-repair"


class Decision(StrEnum):
    """What became of a node that is set aside."""

    REPAIRED = "repaired"
    """Its remedy has begun."""
    WOULD_REPAIR = "would-repair"
    """Nothing was done, as the action is to observe."""
    UNDER_WAY = "under-way"
    """It was repaired just now, or is deleted."""
    WAITS = "waits"
    """It can be repaired in a later round."""
    IN_USE = "in-use"
    """A pod runs on it that the remedy would end."""
    LEFT_ALONE = "left-alone"
    """Somebody has said that it is not to be touched, or nothing says what is broken."""
    NEEDS_A_PERSON = "needs-a-person"
    """The remedy has been tried, or does not cure it."""
    FAILED = "failed"
    """The API server refused what would have repaired it."""


TOLD = (Decision.REPAIRED, Decision.WOULD_REPAIR, Decision.NEEDS_A_PERSON, Decision.FAILED)
"""Decisions of which an Event tells."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a node, and why."""

    node: Node
    remedy: Remedy
    decision: Decision
    now: dt.datetime
    reason: str = ""

    def line(self) -> str:
        entry = {
            "event": self.decision.value,
            "node": self.node.name,
            "pool": self.node.pool,
            "remedy": self.remedy.value,
            "faults": list(self.node.reasons),
            "time": self.now.isoformat(),
        }
        return json.dumps({**entry, "reason": self.reason} if self.reason else entry)

    def event(self) -> dict[str, Any]:
        """Return an Event, which `kubectl describe node` shows."""
        node = self.node
        involved = {"apiVersion": "v1", "kind": "Node", "name": node.name, "uid": node.uid}
        return event(_COMPONENT, involved, "GpuRepair", f"{self._said()}.", self.now)

    def _said(self) -> str:
        faults = ", ".join(self.node.reasons)
        match self.decision:
            case Decision.REPAIRED:
                return f"{faults}: {self.remedy} of the node begins"
            case Decision.WOULD_REPAIR:
                return f"{faults}: {self.remedy} of the node would begin if repair did not observe"
            case _:
                return f"{faults}: the node needs a person: {self.reason}"
