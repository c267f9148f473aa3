"""Containers state resources in the fields and by the names that Kubernetes has.

To all other rules a GPU in `resources.limit`, or by the name `nvidia/gpu`, is none: its pod would
pass as one without GPUs.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.lint_object import LintObject
from gpuplane.lint.placeholder_places import is_placeholder
from gpuplane.lint.resource_names import (
    fits_pods,
    instead_of_amount,
    instead_of_field,
    instead_of_name,
    is_misspelled,
    why_refused,
)
from gpuplane.lint.template_rule import TemplateContext, TemplateFinding, TemplateRule
from gpuplane.lint.written_containers import WrittenContainer, written_containers
from policies.document import Json, escaped, members, shown
from policies.offer import Offer
from policies.quantity import read_quantity
from policies.workloads.pod_template import PodTemplate

_AMOUNTS = ("limits", "requests")


class _Amount(NamedTuple):
    """What is asked for of a resource, in a field of `resources`."""

    field: str
    name: str
    value: Json
    holder: str
    """JSON Pointer from the object to what has `resources`."""

    @property
    def pointer(self) -> str:
        """From the object."""
        return f"{self.holder}/resources/{self.field}/{escaped(self.name)}"


def check(one: LintObject, context: TemplateContext) -> Iterator[TemplateFinding]:
    """Find resources that Kubernetes refuses or drops, and GPUs of a misspelled domain."""
    for template in one.templates:
        for container in written_containers(template):
            yield from _beside_resources(container)
            yield from _unknown_fields(container)
            yield from _wrong_names(container, context.offer)
            yield from _wrong_amounts(container)
        if not template.partial:
            yield from _wrong_in_pod(template)


def _beside_resources(container: WrittenContainer) -> Iterator[TemplateFinding]:
    """Yield amounts in a field of the container itself, such as `limits` or `resource`."""
    for field, value in container.raw.items():
        if field in _AMOUNTS:
            remedy = f"Move it to resources.{field}."
        elif field != "resources" and any(each in _AMOUNTS for each in members(value)):
            remedy = "Rename it to resources."
        else:
            continue
        yield _unknown(container, field, f"/{escaped(field)}", remedy)


def _unknown_fields(container: WrittenContainer) -> Iterator[TemplateFinding]:
    for field in members(container.raw.get("resources")):
        if remedy := instead_of_field(field):
            place = f"/resources/{escaped(field)}"
            yield _unknown(container, f"resources.{field}", place, remedy)


def _unknown(container: WrittenContainer, field: str, place: str, remedy: str) -> TemplateFinding:
    return TemplateFinding(
        f"{container.pointer}{place}",
        f"The {container.culprit} has the field {shown(field)}, which Kubernetes does not have, so "
        "it gets nothing of what stands there.",
        remedy,
    )


def _amounts(holder: Mapping[str, Json], pointer: str) -> Iterator[_Amount]:
    """Yield what something has in `resources`, but for names that are filled in later."""
    resources = members(holder.get("resources"))
    for field in _AMOUNTS:
        for name, value in members(resources.get(field)).items():
            if not is_placeholder(name):
                yield _Amount(field, name, value, pointer)


def _wrong_names(container: WrittenContainer, offer: Offer) -> Iterator[TemplateFinding]:
    for amount in _amounts(container.raw, container.pointer):
        if (wrong := _wrong_name(amount.name, offer)) is not None:
            problem, severity = wrong
            yield TemplateFinding(
                amount.pointer,
                f"The {container.culprit} asks for {shown(amount.name)}, {problem}.",
                instead_of_name(amount.name, offer.resources),
                severity=severity,
            )


def _wrong_name(name: str, offer: Offer) -> tuple[str, LintSeverity] | None:
    """Return what is wrong with the name of a resource, and how bad that is."""
    if reason := why_refused(name):
        return f"which Kubernetes refuses: {reason}", LintSeverity.ERROR
    if is_misspelled(name, offer.names):
        return "which no pool offers and which names no GPU", LintSeverity.WARNING
    return None


def _wrong_amounts(container: WrittenContainer) -> Iterator[TemplateFinding]:
    """Yield what is not a quantity; for GPUs, the rule `gpu-count` does."""
    for amount in _amounts(container.raw, container.pointer):
        if "/" in amount.name or why_refused(amount.name) or is_placeholder(amount.value):
            continue
        if read_quantity(amount.value) is None:
            yield TemplateFinding(
                amount.pointer,
                f"The {container.culprit} has {shown(amount.value)} for {amount.name}, which "
                "Kubernetes refuses: it is not a quantity.",
                instead_of_amount(amount.value),
            )


def _wrong_in_pod(template: PodTemplate) -> Iterator[TemplateFinding]:
    spec = members(template.document.get("spec"))
    for amount in _amounts(spec, f"{template.pointer}/spec"):
        if not fits_pods(amount.name):
            yield TemplateFinding(
                amount.pointer,
                f"The pod as a whole asks for {shown(amount.name)}, which Kubernetes refuses: only "
                "containers can ask for it.",
                f"Move it to resources.{amount.field} of a container.",
            )


RULE = TemplateRule(
    "container-resources",
    summary="Containers state resources in the fields and by the names that Kubernetes has.",
    severity=LintSeverity.ERROR,
    check=check,
)
