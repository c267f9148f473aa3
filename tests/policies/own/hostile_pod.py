"""A program that prints the peak memory, in KiB, of so many rules of each kind on a hostile pod."""

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

RULES = (
    "object.spec.volumes.map(v, v.name + object.spec.hostname).size() > 0",
    "object.spec.args.all(each, object.spec.args.indexOf(each + 'x') < 0)",
    "object.spec.hostname.split('a').all(each, object.spec.hostname.split('a').size() > 3)",
    "object.spec.volumes.all(v, object.spec.hostname.upperAscii() != v.name)",
    "object.spec.volumes.all(v, object.spec.maps.indexOf('x') < 0)",
    "object.spec.volumes.all(v, ['x'].indexOf(object) < 0)",
    "object.spec.volumes.all(v, object.spec.volumes.indexOf(v) < 9999)",
)
_POD: Document = {
    "metadata": {"name": "hostile"},
    "spec": {
        "containers": [],
        "hostname": "a" * 30_000,
        "volumes": [{"name": "a"}] * 3_000,
        "args": [f"a{number}" for number in range(1_800)],
        "maps": [{"key": [f"a{number}" for number in range(2_000)]}],
    },
}


def _admit(expression: str, count: int) -> None:
    own = [
        OwnRule(f"r{at}", expression, "No.", audience=OwnAudience.ALL_PODS) for at in range(count)
    ]
    Engine(Settings("test", own=tuple(own))).admit(_POD, Review("space", dt.date(2026, 11, 21)))


if __name__ == "__main__":
    _admit("true", 1)
    for rule in RULES:
        _admit(rule, int(sys.argv[1]))
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
    print(peak[1] if peak else "")  # noqa: T201 # what it is for
