"""Pods of `levels.yaml`, with the controls for which each level refuses them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from policies.document import Document
from policies.operation import copied
from policies.pod import Pod
from policies.pod_security.refusals import violations
from policies.settings import EnforcedSecurity, PodSecurity

NEWEST = 37
_TAKEN: Document = yaml.safe_load("""
securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
containers:
- name: train
  image: registry.example.com/train:1
  securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
""")


@dataclass(frozen=True, slots=True)
class JudgedPod:
    fact: str
    spec: Document
    minor: int
    controls: Mapping[PodSecurity, frozenset[str]]


def judged_pods() -> list[JudgedPod]:
    rows = yaml.safe_load(Path(__file__).with_name("levels.yaml").read_bytes())["judged"]
    return [_judged(fact, row) for fact, row in rows.items()]


def _judged(fact: str, row: Mapping[str, Any]) -> JudgedPod:
    spec: Document = copied(_TAKEN)
    (container,) = spec["containers"]
    _change(container["securityContext"], row.get("own", {}) or {})
    if "own" in row and row["own"] is None:
        del container["securityContext"]
    _change(container, row.get("container", {}))
    _change(spec["securityContext"], row.get("context", {}))
    _change(spec, row.get("pod", {}))
    controls = {level: frozenset(row.get(level.value, ())) for level in PodSecurity}
    return JudgedPod(fact, spec, row.get("minor", NEWEST), controls)


def _change(fields: Document, changes: Mapping[str, Any]) -> None:
    fields.update(changes)
    for name in [name for name, value in fields.items() if value is None]:
        del fields[name]


def controls_of(spec: Document, level: PodSecurity, minor: int) -> frozenset[str]:
    """Return the controls for which a level refuses the pod."""
    pod = Pod({"spec": copied(spec)}, lambda _: False)
    found = violations(pod, EnforcedSecurity(level, minor))
    return frozenset(one.control for one in found)
