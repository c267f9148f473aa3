"""What became of a node that is set aside, as a line of the log and an Event."""

import datetime as dt
import json
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from repair.node import Node
from repair.settings import Remedy
from rounds.event import event

_COMPONENT = "gpuplane-repair"


class Decision(StrEnum):
    """What became of a node that is set aside."""

    PLANNED = "planned"
    """Nothing runs on it, so that the next round repairs it if nothing does by then."""
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


ACTS = (Decision.PLANNED, Decision.REPAIRED, Decision.WOULD_REPAIR, Decision.FAILED)
"""Decisions after which a round does nothing about another node."""
TOLD = (*ACTS, Decision.NEEDS_A_PERSON)
"""Decisions of which an Event tells."""


@dataclass(frozen=True, slots=True)
class Outcome:
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
        """Return an Event, which `kubectl describe node` shows.

        The same one has the same name, so that there is one for as long as Events last: an hour.
        """
        node, said = self.node, f"{self._said()}."
        involved = {"apiVersion": "v1", "kind": "Node", "name": node.name, "uid": node.uid}
        name = f"{_COMPONENT}.{node.uid}.{sha256(said.encode()).hexdigest()[:16]}"
        return event(_COMPONENT, involved, "GpuRepair", said, self.now, name=name)

    def _said(self) -> str:
        faults = ", ".join(self.node.reasons)
        match self.decision:
            case Decision.PLANNED:
                return f"{faults}: {self.remedy} of the node begins in five minutes if it is idle"
            case Decision.REPAIRED:
                return f"{faults}: {self.remedy} of the node begins"
            case Decision.WOULD_REPAIR:
                return f"{faults}: {self.remedy} of the node would begin if repair did not observe"
            case _:
                return f"{faults}: the node needs a person: {self.reason}"
