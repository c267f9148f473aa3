"""Containers state resources in the fields and by the names that Kubernetes has.

No other rule sees a GPU in `resources.limit`, or by the name `nvidia/gpu`: its pod would pass as
one without GPUs. Kubernetes refuses the rest, in `validateContainerResourceName` and
`validatePodResourceName` of
https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/apis/core/validation/validation.go
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gpuplane.lint.api_fields import AMOUNTS, is_for_amounts
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.placeholders import CAPITALS, is_placeholder
from gpuplane.lint.rule import (
    LintContext,
    LintObject,
    LintRule,
    RuleFinding,
    WrittenContainer,
    written_containers,
)
from gpus.nearest import is_one_typo, nearest
from gpus.platform_names import SUBDOMAIN
from policies.document import Json, escaped, members, shown, text
from policies.gpu_names import GpuNames
from policies.quantity import read_quantity
from policies.rules.gpu_resource_name import asking_for
from policies.workloads.pod_template import PodTemplate

_FIELDS = ("limits", "requests", "claims")
"""https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#resources"""
_OF_PODS = ("cpu", "memory")
_WITHOUT_DOMAIN = (*_OF_PODS, "ephemeral-storage")
_LEAST_MEMORY = 2**20
_MOST_GIB = 4096
"""Bytes; fewer than any container starts with."""
_OLD_GPU = "alpha.kubernetes.io/nvidia-gpu"
_HUGE_PAGES = "hugepages-"
_QUALIFIED = re.compile(rf"{SUBDOMAIN}/[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?")
_OTHER_MAKERS = frozenset({"npu.intel.com"})
"""Domains of devices that are no GPUs, close to those of some that are."""


class _Amount(NamedTuple):
    field: str
    name: str
    value: Json
    pointer: str
    """JSON Pointer from the object."""


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for template in one.templates:
        for container in written_containers(template):
            yield from _beside_resources(container)
            yield from _unknown_fields(container)
            yield from _wrong_names(container, context)
            yield from _wrong_amounts(container)
        if not template.partial:
            yield from _wrong_in_pod(template)


def _beside_resources(container: WrittenContainer) -> Iterator[RuleFinding]:
    """Yield amounts in a field of the container itself, such as `limits` or `resource`."""
    for field, value in container.raw.items():
        if field != "resources" and is_for_amounts(field, value):
            meant = (
                f"Move it to resources.{field}" if field in AMOUNTS else "Rename it to resources"
            )
            yield _unknown(container, field, f"/{escaped(field)}", f"{meant}.")


def _unknown_fields(container: WrittenContainer) -> Iterator[RuleFinding]:
    for field in members(container.raw.get("resources")):
        if remedy := _instead_of_field(field):
            place = f"/resources/{escaped(field)}"
            yield _unknown(container, f"resources.{field}", place, remedy)


def _unknown(container: WrittenContainer, field: str, place: str, remedy: str) -> RuleFinding:
    return RuleFinding(
        f"{container.pointer}{place}",
        f"The {container.culprit} has the field {shown(field)}, which Kubernetes does not have, so "
        "it gets nothing of what stands there.",
        remedy,
    )


def _amounts(holder: Mapping[str, Json], pointer: str) -> Iterator[_Amount]:
    """Yield what something has in `resources`, but for names that are filled in later."""
    resources = members(holder.get("resources"))
    for field in AMOUNTS:
        for name, value in members(resources.get(field)).items():
            if not (is_placeholder(name) or CAPITALS.fullmatch(name)):
                place = f"{pointer}/resources/{field}/{escaped(name)}"
                yield _Amount(field, name, value, place)


def _wrong_names(container: WrittenContainer, context: LintContext) -> Iterator[RuleFinding]:
    offered = context.offer.offered_to(context.known_namespace)
    for amount in _amounts(container.raw, container.pointer):
        if reason := _why_refused(amount.name):
            problem, severity = f"which Kubernetes refuses: {reason}", LintSeverity.ERROR
        elif amount.name == _OLD_GPU:
            problem = "a name that Kubernetes no longer reads, so it gets no GPU"
            severity = LintSeverity.ERROR
        elif _is_misspelled(amount.name, context.offer.names):
            problem = "which no pool offers and which names no GPU"
            severity = LintSeverity.WARNING
            if _is_gpu_elsewhere(amount.name, context.offer.names):
                problem, severity = f"{problem}, so the pod never starts", LintSeverity.ERROR
        else:
            continue
        yield RuleFinding(
            amount.pointer,
            f"The {container.culprit} asks for {shown(amount.name)}, {problem}.",
            _instead_of_name(amount.name, offered),
            severity=severity,
        )


def _wrong_amounts(container: WrittenContainer) -> Iterator[RuleFinding]:
    """Yield what is not a quantity; for GPUs, the rule `gpu-count` does."""
    for amount in _amounts(container.raw, container.pointer):
        if "/" in amount.name or _why_refused(amount.name) or is_placeholder(amount.value):
            continue
        quantity = read_quantity(amount.value)
        if amount.name == "memory" and quantity is not None and 0 < quantity < _LEAST_MEMORY:
            yield _in_bytes(container, amount, math.ceil(quantity))
        elif quantity is None:
            yield RuleFinding(
                amount.pointer,
                f"The {container.culprit} has {shown(amount.value)} for {amount.name}, which "
                "Kubernetes refuses: it is not a quantity.",
                _instead_of_amount(amount.value),
            )


def _in_bytes(container: WrittenContainer, amount: _Amount, size: int) -> RuleFinding:
    number = re.fullmatch(r"([0-9.]+)m?", str(amount.value))
    remedy = "Write a larger suffix, such as Mi or Gi."
    if number is not None and float(number[1]) <= _MOST_GIB:
        remedy = f"Write {number[1]}Gi, which counts by 1024."
    return RuleFinding(
        amount.pointer,
        f"The {container.culprit} has {shown(amount.value)} for memory, which is {size} "
        f"byte{'s' * (size > 1)}.",
        remedy,
        severity=LintSeverity.WARNING,
    )


def _wrong_in_pod(template: PodTemplate) -> Iterator[RuleFinding]:
    spec = members(template.document.get("spec"))
    for amount in _amounts(spec, f"{template.pointer}/spec"):
        if amount.name not in _OF_PODS and not amount.name.startswith(_HUGE_PAGES):
            yield RuleFinding(
                amount.pointer,
                f"The pod as a whole asks for {shown(amount.name)}, which Kubernetes refuses: only "
                "containers can ask for it.",
                f"Move it to resources.{amount.field} of a container.",
            )


def _why_refused(name: str) -> str:
    """Return why Kubernetes lets no container state a resource; empty where it does."""
    if name in _WITHOUT_DOMAIN or name.startswith(_HUGE_PAGES):
        return ""
    if "/" not in name:
        return f"only {', '.join(_WITHOUT_DOMAIN)} and huge pages have no domain"
    return "" if _QUALIFIED.fullmatch(name) else "it is not a valid resource name"


def _is_misspelled(name: str, names: GpuNames) -> bool:
    """Whether the domain of a resource is nearly that of a maker of GPUs, as in `nvidia/gpu`."""
    domain, slash, _ = name.partition("/")
    if not slash or domain in _OTHER_MAKERS:
        return False
    makers = [each.removesuffix("/") for each in names.domains]
    return domain not in makers and any(
        domain == maker.partition(".")[0] or is_one_typo(domain, maker) for maker in makers
    )


def _is_gpu_elsewhere(name: str, names: GpuNames) -> bool:
    """Whether a name is that of a GPU in the domain of a maker."""
    return any(names.is_gpu(f"{domain}{name.partition('/')[2]}") for domain in names.domains)


def _instead_of_field(field: str) -> str:
    """Return where to state what is in a field of `resources`; empty where the field is right."""
    if field in _FIELDS:
        return ""
    if "/" in field or not _why_refused(field):
        return "Move it to resources.limits."
    close = nearest(field, _FIELDS)
    return f"Rename it to {close[0]}." if close else f"Its fields are {', '.join(_FIELDS)}."


def _instead_of_name(name: str, offered: Sequence[str]) -> str:
    """Return what to ask for in place of a resource whose name is wrong."""
    # People write the end of a name, such as `gpu`.
    spellings = {each.partition("/")[2]: each for each in reversed(offered)}
    spellings |= {each: each for each in (*_WITHOUT_DOMAIN, *offered)}
    close = [spellings[each] for each in nearest(name, spellings)]
    if not close:
        return f"{asking_for(offered)}."
    if close[0] in _WITHOUT_DOMAIN:
        return f"Ask for {close[0]}."
    return f"Ask for {close[0]}; offered: {', '.join(offered)}."


def _instead_of_amount(amount: Json) -> str:
    number = re.fullmatch(r"([0-9.]+) ?([KkMGT])[i1l]?[Bb]?", text(amount))
    if number is None:
        return "Write a number, with a suffix such as m, M, Mi, G or Gi where needed."
    prefix = number[2].upper()
    return f"Write {number[1]}{prefix}i, which counts by 1024."


RULE = LintRule(
    "container-resources",
    "Containers state resources in the fields and by the names that Kubernetes has.",
    check,
    LintSeverity.ERROR,
    of_patches=True,
)
