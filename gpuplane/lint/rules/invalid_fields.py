"""The API server and the operators of jobs accept an object.

A GitOps engine stops the whole sync at one that is refused.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from charts_py.objects.document import Document
from gpuplane.lint.api_fields import refused_fields
from gpuplane.lint.api_types import is_of_patch
from gpuplane.lint.cron_schedule import schedule_fault
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.placeholders import HOLDER_NUMBERS, is_placeholder
from gpuplane.lint.pod_references import unknown_references
from gpuplane.lint.rule import (
    LintContext,
    LintObject,
    LintRule,
    RuleFinding,
    by_kind,
    written_containers,
)
from gpus.nearest import MAX_LENGTH, nearest, nearest_hint
from gpus.platform_names import SUBDOMAIN
from policies.document import Json, elements, escaped, members, shown, text, unescaped, value_at
from policies.operation import Operation
from policies.settings import JobKind, kind_of
from policies.workloads.place import at
from policies.workloads.pod_template import PodTemplate
from policies.workloads.registry import NATIVE_GROUPS, WorkloadKind, workload_kind

_HIGHEST_PORT = 65535
_NAME = re.compile(rf"(?=.{{1,{MAX_LENGTH}}}$){SUBDOMAIN}")
_LABEL = re.compile("[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?")
_FILLED_IN = re.compile(r"[$<>{}]|[A-Z]{2}")
_MAX_DIGITS = 9
"""The numbers have 32 bits."""
_DEFAULT_MODE = "K8sJobMode"
_SUBMITTING_MODES = frozenset({_DEFAULT_MODE, "SidecarMode"})
_ALWAYS = "Always"
_OF_JOBS = ("Never", "OnFailure")
_POD_KINDS = ("Pod", "PodTemplate")
_SELECTING_KINDS = frozenset({"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"})
"""Kinds of the group `apps`."""
_SERVICE = JobKind("", "Service")
_SERVICES = {"LoadBalancer": "loadBalancers", "NodePort": "nodePorts"}
"""The fields of a quota in the cluster file, by type of Services."""
_TRAIN_JOB, _RUNTIME = JobKind("trainer.kubeflow.org", "TrainJob"), "ClusterTrainingRuntime"
_REFUSES = "which the training operator refuses"
_MASTER = "Master"


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find what is refused in a workload of a kind that is known, and in a Service."""
    yield from _refused_service(one, context)
    known = workload_kind(one.kind.group, one.kind.kind)
    if known is None:
        return
    yield from _wrong_name(one.document)
    is_patch = any(template.partial for template in one.templates)
    if known.group in NATIVE_GROUPS:
        yield from refused_fields(one.document, is_patch=is_patch)
        yield from _wrong_restart_policy(one.document, known, is_patch=is_patch)
    yield from _of_kind(one.document, known, is_patch=is_patch)
    if one.kind == _TRAIN_JOB and context.facts.runtimes and context.is_meant:
        yield from _unknown_runtime(one.document, context.facts.runtimes)
    yield from _quoted_numbers(one.document, known)
    for template in one.templates:
        yield from _unknown_runtime_class(template, context.settings.gpu_runtime_classes)
        yield from _wrong_container_names(template)
        yield from _wrong_ports(template)
        if not template.partial:
            yield from _empty_images(template)
        is_fragment = is_patch or (
            known.group == "apps" and "selector" not in members(one.document.get("spec"))
        )
        if known.group in NATIVE_GROUPS and not is_fragment and _is_whole_pod(template.document):
            claims = value_at(one.document, ("spec", "volumeClaimTemplates"))
            yield from unknown_references(template, claims)


def _refused_service(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    way = text(members(one.document.get("spec")).get("type"))
    if one.kind == _SERVICE and way in context.facts.refused_services.get(context.namespace, ()):
        yield RuleFinding(
            "/spec/type",
            f"The quota of {context.namespace} lets it have no Service of type {way}, so the API "
            "server refuses it.",
            f"Choose another type, or have the platform team raise quota.{_SERVICES[way]}.",
        )


def _wrong_name(document: Document) -> Iterator[RuleFinding]:
    name = text(members(document.get("metadata")).get("name"))
    if name and not _NAME.fullmatch(name) and not _FILLED_IN.search(name):
        meant = re.sub("[^a-z0-9.-]", "-", name.lower())
        yield RuleFinding(
            "/metadata/name",
            f"{shown(name)} is no name of an object, so the API server refuses it: a name has "
            "lower case letters, digits, hyphens and dots, and begins and ends with one of the "
            "first two.",
            f"Call it {meant}." if _NAME.fullmatch(meant) else "",
        )


def _wrong_container_names(template: PodTemplate) -> Iterator[RuleFinding]:
    for container in written_containers(template):
        name = text(container.raw.get("name"))
        if name and not _LABEL.fullmatch(name) and not _FILLED_IN.search(name):
            yield RuleFinding(
                f"{container.pointer}/name",
                f"{shown(name)} is no name of a container, so the API server refuses the pod: a "
                "name has at most 63 lower case letters, digits and hyphens, and begins and ends "
                "with one of the first two.",
                "Rename it.",
            )


def _unknown_runtime_class(template: PodTemplate, known: Sequence[str]) -> Iterator[RuleFinding]:
    """Find what may be a typo of a RuntimeClass of the platform; others may be there."""
    stated = text(members(template.document.get("spec")).get("runtimeClassName"))
    if stated and stated not in known and (close := nearest(stated, known)):
        yield RuleFinding(
            f"{template.pointer}/spec/runtimeClassName",
            f"The platform has no RuntimeClass {shown(stated)}, and the API server refuses the "
            "pods where nobody else has one of that name.",
            f"Name {close[0]}.",
            severity=LintSeverity.WARNING,
        )


def _of_kind(document: Document, known: WorkloadKind, *, is_patch: bool) -> Iterator[RuleFinding]:
    if known.group == "apps" and known.kind in _SELECTING_KINDS:
        yield from _wrong_selector(document)
    elif known.group == "batch":
        yield from _wrong_jobs(document, known, is_patch=is_patch)
    elif known.group == "kubeflow.org":
        yield from _refused_by_training_operator(document, known, is_patch=is_patch)
    elif (known.group, known.kind) == ("ray.io", "RayJob") and not is_patch:
        yield from _incomplete_ray_job(document)


def _wrong_restart_policy(
    document: Document, known: WorkloadKind, *, is_patch: bool
) -> Iterator[RuleFinding]:
    """Find a policy that the API server refuses: services always restart their pods, jobs do not.

    The default is Always, which no job can have, and single pods may have any.
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/apps/validation/validation.go and
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/batch/validation/validation.go
    """
    allowed = _OF_JOBS if known.group == "batch" else (_ALWAYS,)
    allowed = (*allowed, *_OF_JOBS) if known.kind in _POD_KINDS else allowed
    choice = " or ".join(filter(None, (", ".join(allowed[:-1]), allowed[-1])))
    for pointer, template in (found for place in known.templates for found in at(document, place)):
        declared = text(members(members(template).get("spec")).get("restartPolicy"))
        is_whole = _is_whole_pod(template) and not is_patch
        policy = declared or (_ALWAYS if is_whole else allowed[0])
        if policy not in allowed and not is_placeholder(declared):
            default = "" if declared else ", which it is where none is stated"
            yield RuleFinding(
                f"{pointer}/spec/restartPolicy",
                f"The restartPolicy of a {known.kind} is {choice}; the API server "
                f"refuses {shown(policy)}{default}.",
                f"Set it to {choice}.",
            )


def _wrong_jobs(
    document: Document, known: WorkloadKind, *, is_patch: bool
) -> Iterator[RuleFinding]:
    """Find an Indexed Job of no size, and a schedule of a CronJob that cannot be read.

    https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/batch/validation/validation.go
    """
    schedule = text(value_at(document, ("spec", "schedule")))
    if (fault := schedule_fault(schedule)) and schedule and not is_placeholder(schedule):
        yield RuleFinding(
            "/spec/schedule",
            f"The schedule {shown(schedule)} {fault}, so the API server refuses it.",
            "Write the minute, hour, day of the month, month and day of the week, or @daily.",
        )
    for pointer, spec in (
        found
        for place in known.templates
        for found in at(document, place.removesuffix("/template"))
    ):
        fields = members(spec)
        is_indexed = fields.get("completionMode") == "Indexed"
        if is_indexed and fields.get("completions") is None and not is_patch:
            yield RuleFinding(
                f"{pointer}/completions",
                "The completionMode is Indexed, for which the API server requires completions.",
                "Set completions to the number of pods that have to succeed.",
            )


def _is_whole_pod(template: Json) -> bool:
    """Whether a template has containers, and none of a patch.

    Kustomize merges patches, which have the same kind and name and lack the rest, into an object: a
    field that a patch lacks says nothing of the object.
    """
    containers = elements(members(members(template).get("spec")).get("containers"))
    return bool(containers) and not any(map(is_of_patch, containers))


def _wrong_selector(document: Document) -> Iterator[RuleFinding]:
    """Find a selector that does not select the workload's own pods.

    A missing selector or label passes, since Kustomize often adds it.
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/apps/validation/validation.go
    """
    spec = members(document.get("spec"))
    labels = members(members(members(spec.get("template")).get("metadata")).get("labels"))
    selector = members(spec.get("selector"))
    selected = members(selector.get("matchLabels"))
    if selector and not selected and not elements(selector.get("matchExpressions")):
        yield RuleFinding(
            "/spec/selector",
            "The selector has neither matchLabels nor matchExpressions: the API server refuses it.",
            "Move its labels to spec.selector.matchLabels.",
        )
    for name, value in selected.items() if labels else ():
        is_open = is_placeholder(value) or is_placeholder(labels.get(name))
        if labels.get(name) != value and not is_open:
            yield _unmatched(name, value, labels)


def _unmatched(name: str, value: Json, labels: Mapping[str, Json]) -> RuleFinding:
    has = f"has {shown(labels[name])} there" if name in labels else "lacks that label"
    return RuleFinding(
        f"/spec/selector/matchLabels/{escaped(name)}",
        f"The selector asks for {shown(name)}: {shown(value)}, but the template {has}: the API "
        "server refuses what does not select its own pods.",
        f"State the same {shown(name)} in spec.template.metadata.labels.",
    )


def _quoted_numbers(document: Document, known: WorkloadKind) -> Iterator[RuleFinding]:
    """Find strings in the place of numbers, in the objects that hold templates of pods.

    The API server reads no string as a number, neither in its own kinds nor in custom resources.
    """
    for place in places_above(known.templates):
        for pointer, holder in at(document, place):
            for name, value in members(holder).items():
                if type(value) is str and name in HOLDER_NUMBERS and not is_placeholder(value):
                    yield _quoted(f"{pointer}/{name}", name, value)


@cache
def places_above(places: tuple[str, ...]) -> tuple[str, ...]:
    """Return the places of all objects around a template, except the workload itself."""
    steps = [place.split("/") for place in places]
    return tuple(sorted({"/".join(each[:end]) for each in steps for end in range(2, len(each))}))


def _quoted(pointer: str, name: str, value: str) -> RuleFinding:
    is_number = value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS
    fix = (Operation("replace", pointer, int(value)),) if is_number else ()
    return RuleFinding(
        pointer,
        f'{name} is the string "{shown(value)}", and the API server takes only a number.',
        "Leave its quotes out." if fix else "Write a number, without quotes.",
        fix,
    )


def _empty_images(template: PodTemplate) -> Iterator[RuleFinding]:
    """Find images that are stated and empty, as a chart renders a value that is missing."""
    for container in written_containers(template):
        if "image" in container.raw and not container.raw["image"]:
            yield RuleFinding(
                f"{container.pointer}/image",
                f"The image of the {container.culprit} is empty, which the API server refuses.",
                "State the image, or the value from which it is rendered.",
            )


def _wrong_ports(template: PodTemplate) -> Iterator[RuleFinding]:
    """Find ports of containers that are no number from 1 to 65535.

    `IsValidPortNum` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go
    """
    for container in written_containers(template):
        for index, port in enumerate(elements(container.raw.get("ports"))):
            value = members(port).get("containerPort")
            is_port = type(value) is int and 0 < value <= _HIGHEST_PORT
            if value is not None and not is_port and not is_placeholder(value):
                found = f'the string "{shown(value)}"' if type(value) is str else shown(value)
                yield RuleFinding(
                    f"{container.pointer}/ports/{index}/containerPort",
                    f"The {container.culprit} has {found} for containerPort, which Kubernetes "
                    f"refuses: a port is a number from 1 to {_HIGHEST_PORT}.",
                    "State the port that its program listens on.",
                )


def _refused_by_training_operator(
    document: Document, known: WorkloadKind, *, is_patch: bool
) -> Iterator[RuleFinding]:
    """Find what the webhooks of the training operator 1.9 refuse in a job of `kubeflow.org/v1`.

    https://github.com/kubeflow/trainer/tree/v1.9.4/pkg/webhooks; they call for no MPIJob.
    """
    kind = by_kind("trained").get(kind_of(document))
    if kind is None or document.get("apiVersion") != "kubeflow.org/v1":
        return
    for place in known.templates:
        for pointer, replica in at(document, place.removesuffix("/template")):
            name = unescaped(pointer.rpartition("/")[2])
            if name not in kind.get("replicas", (name,)):
                yield _unknown(pointer, name, known.kind, kind["replicas"])
            elif not is_patch and _is_whole_pod(members(replica).get("template")):
                yield from _of_replica(pointer, name, replica, **kind)


def _unknown(pointer: str, name: str, kind: str, allowed: list[str]) -> RuleFinding:
    close = nearest_hint(nearest(name, allowed))
    return RuleFinding(
        pointer,
        f"A {kind} has no replicas called {shown(name)}, {_REFUSES}{close}.",
        f"Call them {' or '.join(allowed)}.",
    )


def _of_replica(
    pointer: str, name: str, replica: Json, container: str, one_master: bool = False, **_: Json
) -> Iterator[RuleFinding]:
    fields = members(replica)
    count = fields.get("replicas")
    if one_master and name == _MASTER and count != 1 and type(count) is not str:
        declared = "states no replicas" if count is None else f"has {shown(count)} replicas"
        yield RuleFinding(
            f"{pointer}/replicas", f"The {_MASTER} {declared}, {_REFUSES}.", "Set replicas to 1."
        )
    containers = elements(members(members(fields.get("template")).get("spec")).get("containers"))
    names = [text(members(each).get("name")) for each in containers]
    if container not in names and not any(map(is_placeholder, names)):
        one = shown(names[0]) if len(names) == 1 else "the one that trains"
        yield RuleFinding(
            f"{pointer}/template/spec/containers",
            f"The {shown(name)} has no container called {container}, {_REFUSES}.",
            f"Rename {one} to {container}.",
        )


def _incomplete_ray_job(document: Document) -> Iterator[RuleFinding]:
    """Find a RayJob without a cluster, or without anything to run on it.

    A RayJob that lacks both is a patch of another. KubeRay 1.7 gives one without a cluster the
    status ValidationFailed
    (https://github.com/ray-project/kuberay/blob/v1.7.0/ray-operator/controllers/ray/utils/validation.go).
    It passes the entrypoint to `ray job submit`, which fails without one, once the GPUs are there
    (https://github.com/ray-project/kuberay/blob/v1.7.0/ray-operator/controllers/ray/common/job.go
    and https://github.com/ray-project/ray/blob/master/python/ray/dashboard/modules/job/cli.py).
    """
    spec = members(document.get("spec"))
    cluster = members(spec.get("rayClusterSpec"))
    is_selected = bool(members(spec.get("clusterSelector")))
    if text(spec.get("entrypoint")).strip():
        if not cluster and not is_selected:
            yield RuleFinding(
                "/spec/rayClusterSpec",
                "The RayJob has neither a rayClusterSpec nor a clusterSelector, so KubeRay does "
                "not run it.",
                "Describe its cluster in rayClusterSpec.",
            )
        return
    mode = text(spec.get("submissionMode")) or _DEFAULT_MODE
    submits = mode in _SUBMITTING_MODES and spec.get("submitterPodTemplate") is None
    is_whole = _is_whole_pod(members(cluster.get("headGroupSpec")).get("template"))
    if submits and (is_selected or is_whole):
        yield RuleFinding(
            "/spec/entrypoint",
            "The RayJob has no entrypoint, so `ray job submit` fails once its cluster is there.",
            "Set it to the command that the job runs, such as python train.py.",
        )


def _unknown_runtime(document: Document, runtimes: Sequence[str]) -> Iterator[RuleFinding]:
    """Find a runtime that is not there; those of the namespace are not known."""
    named = members(members(document.get("spec")).get("runtimeRef"))
    kind, name = text(named.get("kind")) or _RUNTIME, text(named.get("name"))
    if kind == _RUNTIME and name and name not in runtimes and not is_placeholder(name):
        yield RuleFinding(
            "/spec/runtimeRef/name",
            f"The TrainJob names the runtime {shown(name)}, which the cluster does not have, so "
            "that Trainer refuses it.",
            f"Name one of: {', '.join(runtimes)}{nearest_hint(nearest(name, runtimes)[:1])}.",
        )


RULE = LintRule(
    "invalid-fields",
    "The API server and the operators of jobs accept an object.",
    check,
    LintSeverity.ERROR,
    of_patches=True,
)
