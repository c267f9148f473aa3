"""What the API server's validation says of the resources of containers, whatever rules there are.

It validates a pod once admission has changed it, and the template of a kind of its own as it is
written, before there is any pod to change. Source: `validateResourceRequirements` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from policies.container import HUGE_PAGES
from policies.document import (
    Document,
    Json,
    elements,
    escaped,
    field_path,
    listed,
    members,
    shown,
    text,
)
from policies.finding import Finding, Severity
from policies.fix import put_all
from policies.quantity import Quantity, read_quantity
from policies.rule_name import ApiRule

_NATIVE = "kubernetes.io/"
_FIELDS = ("containers", "initContainers")


class _Container(NamedTuple):
    raw: Mapping[str, Json]
    pointer: str
    culprit: str
    refusal: str
    """As in `so the API server refuses the Job`."""

    def amounts(self, field: str) -> Mapping[str, Json]:
        return members(members(self.raw.get("resources")).get(field))

    def finding(self, path: str, problem: str, reason: str, remedy: str) -> Finding:
        message = f"The {self.culprit} {problem}, {self.refusal}{reason}."
        place = f"{self.pointer}/resources{path}"
        rule, refuse = ApiRule.CONTAINER_RESOURCES, Severity.REFUSE
        return Finding(rule, refuse, place, self.culprit, message, remedy)


def refused_resources(pod: Document, refused: str) -> Iterator[Finding]:
    """Yield what is refused; amounts that are no quantities are passed over.

    `refused` is the object that is, as in `the Job`.
    """
    spec = members(pod.get("spec"))
    for field in _FIELDS:
        for index, raw in enumerate(elements(spec.get(field))):
            pointer = f"/spec/{field}/{index}"
            name = shown(text(members(raw).get("name"))) or field_path(pointer)
            refusal = f"so the API server refuses {refused}"
            container = _Container(members(raw), pointer, f"container {name}", refusal)
            yield from _of_container(container, field_path(f"{pointer}/resources"))


def _of_container(container: _Container, place: str) -> Iterator[Finding]:
    """`place` is the field that has its resources, as Kubernetes names it."""
    limits, requests = container.amounts("limits"), container.amounts("requests")
    for field, amounts in (("limits", limits), ("requests", requests)):
        for name, value in amounts.items():
            amount = read_quantity(value)
            allowed = "" if amount is None else _allowed_instead(name, amount)
            if allowed:
                problem = f"has {shown(value)} of {shown(name)} in {field}"
                remedy = f"Set it to {allowed} in {place}.{field}."
                path = f"/{field}/{escaped(name)}"
                yield container.finding(path, problem, f": it must be {allowed}", remedy)
    for name in filter(limits.__contains__, requests):
        if reason := _unlike_limit(name, requests[name], limits[name]):
            request, limit = shown(requests[name]), shown(limits[name])
            problem = f"requests {request} of {shown(name)} but limits it to {limit}"
            remedy = f"Set both in {place} to what the container uses."
            yield container.finding(f"/requests/{escaped(name)}", problem, f": {reason}", remedy)
    yield from _without_limits(container, place)
    named = {*limits, *requests}
    if any(map(_is_huge, named)) and not named & {"cpu", "memory"}:
        problem, remedy = (
            "asks for huge pages without CPU or memory",
            f"Add memory to {place}.limits.",
        )
        yield container.finding("", problem, "", remedy)


def _without_limits(container: _Container, place: str) -> Iterator[Finding]:
    # A container without an image is a patch of another, which may have the limits.
    limits = container.amounts("limits")
    without = {
        name: value
        for name, value in container.amounts("requests").items()
        if name not in limits and _is_exact(name) and read_quantity(value) is not None
    }
    if without and container.raw.get("image"):
        amounts = [f"{shown(value)} of {shown(name)}" for name, value in without.items()]
        problem = f"requests {listed(amounts, ' and ')} without a limit"
        remedy = f"Set {place}.limits to the same amount."
        fix = put_all(container.raw, container.pointer, ("resources", "limits"), without)
        yield container.finding("/limits", problem, "", remedy)._replace(fix=fix)


def _allowed_instead(name: str, amount: Quantity) -> str:
    """Return what an amount has to be; empty where it is that."""
    if amount < 0:
        return "0 or more"
    # The API server rounds up to thousandths first.
    if _is_extended(name) and math.ceil(amount * 1000) % 1000:
        return "a whole number"
    if not _is_huge(name):
        return ""
    stated = name.removeprefix(HUGE_PAGES)
    size = read_quantity(stated)
    is_multiple = type(size) is int and size > 0 and math.ceil(amount) % size == 0
    return "" if is_multiple else f"a multiple of {shown(stated)}"


def _unlike_limit(name: str, request: Json, limit: Json) -> str:
    requested, limited = read_quantity(request), read_quantity(limit)
    if requested is None or limited is None or requested == limited:
        return ""
    if _is_exact(name):
        return "the two must be equal"
    return "a request may not be above its limit" if requested > limited else ""


def _is_extended(name: str) -> bool:
    return "/" in name and _NATIVE not in name


def _is_huge(name: str) -> bool:
    return name.startswith(HUGE_PAGES)


def _is_exact(name: str) -> bool:
    """Whether what is requested of a resource is what its limit says, since nobody shares it."""
    return _is_extended(name) or _is_huge(name)
