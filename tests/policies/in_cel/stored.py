"""Pods as the API server has them before it validates an admission: valid, and with defaults.

Only what rules read is written out: `SetDefaults_Pod` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/v1/defaults.go
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from policies.apply import copied
from policies.document import Document, Json
from policies.quantity import format_bytes, read_quantity

CREATED = "2026-11-22T10:00:00Z"
_LISTS = ("initContainers", "containers", "ephemeralContainers")


def stored(pod: Document) -> Document | None:
    """Return the pod with its defaults; None where it is not valid."""
    copy: Document = _without_nulls(copied(pod))
    copy["metadata"] = {**(copy.get("metadata") or {}), "creationTimestamp": CREATED}
    for field in _LISTS:
        for container in copy["spec"].get(field) or ():
            if not container.get("image") or not _default(container.get("resources")):
                return None
    return copy


def _without_nulls(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            name: _without_nulls(member) for name, member in value.items() if member is not None
        }
    return [_without_nulls(element) for element in value] if isinstance(value, list) else value


def _default(resources: Json) -> bool:
    """Write quantities as the API server does; return whether they are valid."""
    if resources is None:
        return True
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    amounts = {**limits, **requests}
    read = [read_quantity(value) for value in amounts.values()]
    if any(amount is None or amount < 0 for amount in read):
        return False
    for name in amounts:
        extended = "/" in name
        whole = isinstance(read_quantity(amounts[name]), int)
        if extended and (
            not whole or limits.get(name) is None or not _equal(name, limits, requests)
        ):
            return False
    if limits:
        resources["limits"] = _written(limits)
    if limits or requests:
        resources["requests"] = _written({**limits, **requests})
    return True


def _equal(name: str, limits: Mapping[str, Json], requests: Mapping[str, Json]) -> bool:
    return read_quantity(requests.get(name, limits[name])) == read_quantity(limits[name])


def _written(amounts: Mapping[str, Json]) -> Document:
    return {name: _text(value) for name, value in amounts.items()}


def _text(value: Json) -> str:
    amount = read_quantity(value)
    if isinstance(amount, Fraction):
        return f"{int(amount * 1000)}m"
    return value if isinstance(value, str) else format_bytes(amount or 0)
