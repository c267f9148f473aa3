"""An Event that a round creates, which `kubectl describe` shows below the object that it is of."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

_NAMESPACE = "default"
"""Where Events of objects without a namespace stand."""


def event(
    component: str,
    involved: Mapping[str, str],
    reason: str,
    message: str,
    now: dt.datetime,
    *,
    name: str = "",
) -> dict[str, Any]:
    """Return an Event, which the API server names where no name is given."""
    namespace, time = involved.get("namespace", _NAMESPACE), seconds(now)
    named = {"name": name} if name else {"generateName": f"{component}-"}
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {**named, "namespace": namespace},
        "involvedObject": dict(involved),
        "type": "Warning",
        "reason": reason,
        "message": message,
        "count": 1,
        "firstTimestamp": time,
        "lastTimestamp": time,
        "source": {"component": component},
    }


def seconds(time: dt.datetime) -> str:
    """Return a time as objects have it, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")
