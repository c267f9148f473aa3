"""A program that prints the peak memory, in KiB, of so many rules that each make a large list."""

from __future__ import annotations

import datetime as dt
import re
import sys
from pathlib import Path

from policies.admission import Review
from policies.document import Document
from policies.engine import Engine
from policies.settings import Settings
from policies.settings_own_rule import OwnAudience, OwnRule

RULE = "object.spec.volumes.map(v, v.name + object.spec.hostname).size() > 0"
POD: Document = {
    "metadata": {"name": "hostile"},
    "spec": {"containers": [], "hostname": "a" * 40_000, "volumes": [{"name": "a"}] * 5_000},
}

if __name__ == "__main__":
    own = [
        OwnRule(f"r{at}", RULE, "No.", audience=OwnAudience.ALL_PODS)
        for at in range(int(sys.argv[1]))
    ]
    Engine(Settings("test", own=tuple(own))).admit(POD, Review("space", dt.date(2026, 11, 21)))
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
    print(peak[1] if peak else "")  # noqa: T201 # what it is for
