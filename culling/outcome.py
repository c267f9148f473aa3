"""What became of a workload with idle GPUs, for the log and as an Event."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import datetime as dt

    from culling.workload import Workload

_COMPONENT = "gpuplane-cull"


class Decision(StrEnum):
    """What became of a workload."""

    ENDED = "ended"
    WOULD_END = "would-end"
    """Nothing was done, as the action is to observe."""
    IN_USE = "in-use"
    """A pod of it uses GPUs, or may."""
    LEFT_ALONE = "left-alone"
    """It is idle, and made by what culling knows not how to end."""
    TOO_MANY = "too-many"
    """It is idle, and so is more than may end at once."""
    BLOCKED = "blocked"
    """A PodDisruptionBudget refused that a pod of it ends."""
    FAILED = "failed"
    """The API server refused what would have ended it, for any other reason."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a workload, and why."""

    workload: Workload
    decision: Decision
    now: dt.datetime
    reason: str = ""

    @property
    def idle_minutes(self) -> int:
        """Minutes since a pod of it last used a GPU."""
        return int((self.now - self.workload.last_used).total_seconds() // 60)

    def line(self) -> str:
        """Return a line of the log, in JSON."""
        owner = self.workload.owner
        entry = {
            "event": self.decision.value,
            "namespace": owner.namespace,
            "kind": owner.kind,
            "name": owner.name,
            "pods": [pod.name for pod in self.workload.pods if pod.use],
            "gpus": round(self.workload.gpus, 3),
            "idleMinutes": self.idle_minutes,
            "time": self.now.isoformat(),
        }
        return json.dumps({**entry, "reason": self.reason} if self.reason else entry)


def event(workload: Workload, decision: Decision, now: dt.datetime) -> dict[str, Any]:
    """Return an Event, which `kubectl describe` shows below the owner."""
    owner, time = workload.owner, now.strftime("%Y-%m-%dT%H:%M:%SZ")
    outcome = Outcome(workload, decision, now)
    held = f"{workload.gpus:g} GPUs held, and not used for {outcome.idle_minutes} minutes"
    does = "ends now" if decision is Decision.ENDED else "would end if culling did not only observe"
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"generateName": f"{_COMPONENT}-", "namespace": owner.namespace},
        "involvedObject": {
            "apiVersion": owner.api_version,
            "kind": owner.kind,
            "namespace": owner.namespace,
            "name": owner.name,
            "uid": owner.uid,
        },
        "type": "Warning",
        "reason": "GpuIdle",
        "message": f"{held}: it {does}.",
        "count": 1,
        "firstTimestamp": time,
        "lastTimestamp": time,
        "source": {"component": _COMPONENT},
    }
