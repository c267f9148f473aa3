"""GPUs that no rule judges: of a kind that is not known, of a chart, or shared by an annotation."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from charts_py.extensions.manifest_files import read_value
from charts_py.objects.document import Document
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.lint.finding import LintSeverity, ObjectFinding, ReadingRule, object_subject
from gpuplane.lint.rule import by_kind
from gpuplane.lint.served_kinds import kubernetes_groups, served_versions
from gpus.catalog import load_catalog
from policies.document import (
    Json,
    elements,
    field_path,
    listed,
    members,
    objects,
    shown,
    text,
    unescaped,
)
from policies.engine import Engine
from policies.pod import Pod
from policies.quantity import read_quantity
from policies.settings import JobKind, Settings, kind_of
from policies.workloads.place import at, children
from policies.workloads.pod_template import pod_templates
from policies.workloads.registry import workload_kind

_OF_POLICIES = ("gatekeeper.sh", "kyverno.io")
"""Groups of policies, which state the resources of the pods that they look for."""
_NODES = "karpenter.sh"
"""Its old kinds limit the resources of nodes, as those of today do."""
_ANNOTATIONS = "/metadata/annotations"
_AMOUNTS = ("limits", "requests")
_DOT = re.compile(r"(?<!\\)\.")
"""Parts the keys in the name of a parameter of Helm, as in `limits.nvidia\\.com/gpu`."""
IsGpu: TypeAlias = Callable[[str], bool]
_SHARED = {
    "gpu-fraction": (re.compile(r"(?![-+.\d]*$)[\w.+-]+|\+?0*\.\d*[1-9]\d*"), "above 0, below 1"),
    "gpu-memory": (re.compile(r"0*[1-9]\d*"), "a whole number of MiB above 0"),
}
"""Annotations for a part of a GPU, what may be valid there, and what is allowed. Only KAI reads
them, of pods that name it, and refuses them where it is not told to share GPUs, as the queues of
the platform do not: pkg/admission/webhook/v1alpha2/gpusharing and
pkg/binder/plugins/gpusharing/gpu-request in https://github.com/kai-scheduler/KAI-Scheduler."""
_KAI, _WHOLE = "kai-scheduler", "nvidia.com/gpu"
_Why: TypeAlias = tuple[str, str]
"""Why nobody judges what is asked for, or why a pod does not start, and what to do."""
_NO_PODS = "and states no pods that can be judged here."
_UNKNOWN = _NO_PODS, "Admission judges its pods when they are created."
_OF_CHART = _NO_PODS, "Lint what its chart renders: gpuplane lint --helm CHART --values FILE."
_OF_PATCH = _NO_PODS, "Lint what Kustomize builds with this patch: gpuplane lint FOLDER."
_UNSHARED = "which KAI refuses, since no quota counts parts of GPUs.", "Ask for whole GPUs."
_OF_KAI = "which only KAI reads, where it shares GPUs.", "Ask for a GPU resource elsewhere."


class _Asked(NamedTuple):
    """What an object asks for at one place."""

    pointer: str
    """JSON Pointer from the object."""
    what: tuple[str, ...]
    """As in `nvidia.com/gpu: 2`."""
    why: _Why
    severity: LintSeverity = LintSeverity.NOTE


def unread_gpus(
    document: Document, is_gpu: IsGpu, clusters: Sequence[Settings] = ()
) -> Iterator[ObjectFinding]:
    """Yield a finding for each object of a document that asks for GPUs of pods nobody reads.

    Annotations that KAI refuses are worse, where one of the clusters runs it.
    """
    for place, one in objects(document):
        kind = kind_of(one)
        if found := [*_asked(one, kind, is_gpu, clusters)] if _may_make_pods(kind) else []:
            what = listed([*dict.fromkeys(each for asked in found for each in asked.what)])
            first, *others = dict.fromkeys(asked.pointer for asked in found)
            where = f"{field_path(first)} and {len(others)} more" if others else field_path(first)
            wrong = (asked for asked in found if asked.severity is not LintSeverity.NOTE)
            worst = next(wrong, found[0])
            yield ObjectFinding(
                ReadingRule.UNREAD_GPUS,
                worst.severity,
                object_subject(one),
                f"{place}{first}",
                f"It asks for {what} in {where}, {worst.why[0]}",
                worst.why[1],
                (),
            )


def refused_shares(objects: Iterable[ManifestObject], engine: Engine) -> Iterator[str]:
    """Yield a line for each object that asks for a part of a GPU which it cannot get."""
    is_gpu = engine.offer.names.is_gpu
    for one in objects:
        for found in unread_gpus(one.document, is_gpu, [engine.settings]):
            if found.severity is not LintSeverity.NOTE:
                mark = one.mark_of(found.pointer)
                yield f"{mark}: {found.subject}: {found.message} {found.remedy}"


def _is_chart(kind: JobKind) -> bool:
    return kind in by_kind("chart_values")


def _may_make_pods(kind: JobKind) -> bool:
    """Whether pods can come of a kind; the known kinds that are no workloads make none."""
    if workload_kind(kind.group, kind.kind) is not None or _is_chart(kind):
        return True
    if kind.group == _NODES or kind.group.endswith(_OF_POLICIES):
        return False
    known = kind.group in kubernetes_groups() or kind.kind in served_versions().get(kind.group, {})
    return not known


def _wrong(pod: Pod, shared: Mapping[str, Json], clusters: Sequence[Settings]) -> _Why | None:
    queues = {each.queue_scheduler.name for each in clusters if each.queue_scheduler}
    is_named = pod.spec.get("schedulerName") == _KAI
    if _KAI in queues and (is_named or pod.asks_for_gpu):
        return _UNSHARED
    if _KAI not in queues.union(*(each.schedulers for each in clusters)):
        why = f"but {_KAI} does not run here: the pod waits for ever."
        return (why, "Ask for a GPU resource.") if is_named and not pod.asks_for_gpu else None
    if any(_WHOLE in container.limits for container in pod.containers):
        return f"which KAI refuses beside a limit of {_WHOLE}.", "Leave one of them out."
    if len(shared) > 1:
        return "of which KAI takes only one.", "Leave the other out."
    for name, value in shared.items():
        form, allowed = _SHARED[name]
        if form.fullmatch(text(value)) is None:
            return "which KAI refuses.", f"Set {name} to what is {allowed}."
    return None


def _asked(
    one: Document, kind: JobKind, is_gpu: IsGpu, clusters: Sequence[Settings]
) -> Iterator[_Asked]:
    templates = [*pod_templates(one)]
    read = frozenset(template.pointer for template in templates)
    unread = _OF_CHART if _is_chart(kind) else _UNKNOWN
    yield from (_Asked(*found, unread) for found in _below(one, "", read, is_gpu))
    for template in templates:
        pod = Pod(template.document, is_gpu)
        shared = {name: pod.annotations[name] for name in _SHARED if name in pod.annotations}
        wrong = _wrong(pod, shared, clusters) if shared else None
        if wrong or (shared and not pod.asks_for_gpu):
            what = tuple(f"{name}: {shown(part)}" for name, part in shared.items())
            place = f"{template.pointer}{_ANNOTATIONS}"
            severity = LintSeverity.ERROR if wrong is _UNSHARED else LintSeverity.WARNING
            yield _Asked(place, what, wrong, severity) if wrong else _Asked(place, what, _OF_KAI)
    for place in by_kind("chart_values").get(kind, ()):
        why = _OF_PATCH if place.endswith("/patch") else _OF_CHART
        for pointer, values in at(one, place):
            for stated in _stated(values):
                for _, what in _below(stated, "", frozenset(), is_gpu):
                    yield _Asked(pointer, what, why)
    if not read and (machines := by_kind("instance_types").get(kind)):
        for pointer, name in at(one, machines):
            if machine := _with_gpus(text(name)):
                yield _Asked(pointer, (machine,), unread)


def _stated(values: Json) -> Iterator[Json]:
    """Yield values, also at the place that a patch or a parameter of Helm names for its own."""
    held = read_value(values) if type(values) is str else values
    for each in elements(held) or (held,):
        yield each
        one = members(each)
        path = (unescaped(step) for step in text(one.get("path")).split("/"))
        name = (step.replace("\\", "") for step in _DOT.split(text(one.get("name"))))
        for *_, above, last in (("", *path), ("", *name)):
            yield {above: {last: one.get("value")}}


def _below(
    here: Json, pointer: str, read: frozenset[str], is_gpu: IsGpu
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is asked for, apart from the pods that are read, after the JSON Pointer to it."""
    if pointer in read:
        return
    held = members(here)
    for amounts in _AMOUNTS:
        if what := tuple(_gpus(members(held.get(amounts)), is_gpu)):
            yield f"{pointer}/{amounts}", what
            break  # requests of what is limited say the same again
    for name, each in children(here):
        yield from _below(each, f"{pointer}/{name}", read, is_gpu)


def _gpus(amounts: Mapping[str, Json], is_gpu: IsGpu) -> Iterator[str]:
    for name, amount in amounts.items():
        if type(name) is str and is_gpu(name) and read_quantity(amount) != 0:
            yield f"{name}: {shown(amount)}"


def _with_gpus(name: str) -> str:
    for machines in load_catalog().instance_types.values():
        if (machine := machines.get(name)) is not None:
            return f"{machine.gpus} {machine.gpu} of {name}"
    return ""
