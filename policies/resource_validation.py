"""What the API server's validation says of the resources of containers, whatever rules there are.

It validates a pod once admission has changed it, and the template of a kind of its own as it is
written, before there is any pod to change. Source: `validateResourceRequirements` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from policies.container import HUGE_PAGES, Container, ContainerKind
from policies.document import Document, Json, elements, escaped, listed, members, shown
from policies.finding import Finding, Severity
from policies.fix import put_all
from policies.operation import Operation
from policies.quantity import Quantity, read_quantity
from policies.rule_name import ApiRule

_NATIVE = "kubernetes.io/"
_FIELDS = ("containers", "initContainers")


class _Fault(NamedTuple):
    """What is wrong with the resources of a container."""

    path: str
    """JSON Pointer from its resources."""
    problem: str
    remedy: str
    reason: str = ""
    fix: tuple[Operation, ...] = ()


def refused_resources(pod: Document, refused: str) -> Iterator[Finding]:
    """Yield what is refused; amounts that are no quantities are passed over.

    `refused` is the object that is, as in `the Job`.
    """
    spec = members(pod.get("spec"))
    for field in _FIELDS:
        for index, raw in enumerate(elements(spec.get(field))):
            read = Container(members(raw), field, index, ContainerKind.APP, _is_known)
            place, rule = f"{read.pointer}/resources", ApiRule.CONTAINER_RESOURCES
            for path, problem, remedy, reason, fix in _faults(read, f"{read.field_path}.resources"):
                because = f": {reason}" if reason else ""
                message = (
                    f"The {read.culprit} {problem}, so the API server refuses {refused}{because}."
                )
                yield Finding(
                    rule, Severity.REFUSE, f"{place}{path}", read.culprit, message, remedy, fix
                )


def _is_known(_resource: str) -> bool:
    """Which resources are GPUs does not matter here."""
    return False


def _faults(container: Container, place: str) -> Iterator[_Fault]:
    """`place` is the field that has its resources, as Kubernetes names it."""
    limits, requests = container.limits, container.requests
    for field, amounts in (("limits", limits), ("requests", requests)):
        for name, value in amounts.items():
            amount = read_quantity(value)
            allowed = "" if amount is None else _allowed_instead(name, amount)
            if allowed:
                problem = f"has {shown(value)} of {shown(name)} in {field}"
                remedy = f"Set it to {allowed} in {place}.{field}."
                path = f"/{field}/{escaped(name)}"
                yield _Fault(path, problem, remedy, f"it must be {allowed}")
    for name in filter(limits.__contains__, requests):
        if reason := _unlike_limit(name, requests[name], limits[name]):
            request, limit = shown(requests[name]), shown(limits[name])
            problem = f"requests {request} of {shown(name)} but limits it to {limit}"
            remedy = f"Set both in {place} to what the container uses."
            yield _Fault(f"/requests/{escaped(name)}", problem, remedy, reason)
    yield from _without_limits(container, place)
    named = {*limits, *requests}
    if any(map(_is_huge, named)) and not named & {"cpu", "memory"}:
        problem = "asks for huge pages without CPU or memory"
        yield _Fault("", problem, f"Add memory to {place}.limits.")


def _without_limits(container: Container, place: str) -> Iterator[_Fault]:
    # A container without an image is a patch of another, which may have the limits.
    without = {
        name: value
        for name, value in container.requests.items()
        if name not in container.limits and _is_exact(name) and read_quantity(value) is not None
    }
    if without and container.raw.get("image"):
        problem = f"requests {amounts_in_words(without)} without a limit"
        fix = put_all(container.raw, container.pointer, ("resources", "limits"), without)
        yield _Fault("/limits", problem, f"Set {place}.limits to the same amount.", "", fix)


def amounts_in_words(amounts: Mapping[str, Json]) -> str:
    return listed([f"{shown(value)} of {shown(name)}" for name, value in amounts.items()], " and ")


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
