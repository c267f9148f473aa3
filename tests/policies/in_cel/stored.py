"""Pods as the API server has them before it validates an admission: valid, and with defaults.

Only what rules read is written out: `SetDefaults_Pod` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/v1/defaults.go
"""

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction

from charts_py.helm.objects import without_nulls
from policies.document import Document, Json
from policies.operation import copied
from policies.pod import Pod
from policies.quantity import format_bytes, read_quantity

CREATED = "2026-11-22T10:00:00Z"
TODAY = dt.date.fromisoformat(CREATED[:10])
_LISTS = ("initContainers", "containers", "ephemeralContainers")


def stored(pod: Document) -> Document | None:
    """Return the pod with its defaults; None where it is not valid."""
    copy = defaulted(pod)
    if copy is None:
        return None
    copy["metadata"]["creationTimestamp"] = CREATED
    for field in _LISTS:
        for container in copy["spec"].get(field) or ():
            if not container.get("image") or not _is_valid(container.get("resources") or {}):
                return None
    _default_requests_of_pod(copy["spec"])
    return copy


def valid(pod: Document) -> Document:
    taken = stored(pod)
    assert taken is not None
    return taken


def _default_requests_of_pod(spec: Document) -> None:
    """State requests of the pod where it states limits, as those of its containers where any do."""
    resources = spec.get("resources") or {}
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    if limits:
        pod = Pod({"spec": spec}, lambda name: "/" in name)
        asked = {name: f"{float(pod.effective_request(name)):.3f}" for name in limits}
        resources["requests"] = {**asked, **requests}


def defaulted(pod: Document) -> Document | None:
    """Return the pod as policies that mutate see it; None where the API server cannot read it."""
    copy: Document = without_nulls(copied(pod))
    fields = [{"manager": "kubectl", "time": CREATED}]
    copy["metadata"] = {**(copy.get("metadata") or {}), "managedFields": fields}
    for field in _LISTS:
        for container in copy["spec"].get(field) or ():
            if not _default(container.get("resources")):
                return None
    made: Document = without_empty(copy)
    return made


def without_empty(value: Json) -> Json:
    """Return a copy without empty members, which the API server leaves out."""
    if isinstance(value, dict):
        members = {name: without_empty(member) for name, member in value.items()}
        return {name: member for name, member in members.items() if member not in ({}, [])}
    return [without_empty(element) for element in value] if isinstance(value, list) else value


def _default(resources: Json) -> bool:
    """Write quantities as the API server does; return whether they are quantities."""
    if resources is None:
        return True
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    amounts = {**limits, **requests}
    if any(read_quantity(value) is None for value in amounts.values()):
        return False
    if limits:
        resources["limits"] = _written(limits)
    if limits or requests:
        resources["requests"] = _written({**limits, **requests})
    return True


def _is_valid(resources: Document) -> bool:
    limits, requests = resources.get("limits", {}), resources.get("requests", {})
    amounts = {**limits, **requests}
    if any((read_quantity(value) or 0) < 0 for value in amounts.values()):
        return False
    for name in amounts:
        extended = "/" in name
        whole = isinstance(read_quantity(amounts[name]), int)
        if extended and (
            not whole or limits.get(name) is None or not _equal(name, limits, requests)
        ):
            return False
    return True


def _equal(name: str, limits: Mapping[str, Json], requests: Mapping[str, Json]) -> bool:
    return read_quantity(requests.get(name, limits[name])) == read_quantity(limits[name])


def _written(amounts: Mapping[str, Json]) -> Document:
    """Write the amounts by name, as the API server has every map in JSON."""
    return {name: _text(value) for name, value in sorted(amounts.items())}


def _text(value: Json) -> str:
    amount = read_quantity(value)
    if isinstance(amount, Fraction):
        return f"{int(amount * 1000)}m"
    return value if isinstance(value, str) else format_bytes(amount or 0)
