"""Durations, as Go and with it Kubernetes writes them: `1h30m`."""

import re
from typing import Any

_SECONDS = {"h": 3600, "m": 60, "s": 1}


def seconds(duration: Any) -> int | None:
    """Return what a duration such as `1h30m` says; None for `Never`, and for none."""
    parts = re.findall(r"(\d+)([hms])", duration) if isinstance(duration, str) else []
    return sum(int(amount) * _SECONDS[unit] for amount, unit in parts) if parts else None
