"""From what is asked to a request without faults."""

import re
from collections.abc import Collection, Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.gitops import DIGEST, PART, REGISTRY, TAG
from charts_py.cluster_file.other_names import nearest_name
from charts_py.cluster_file.quantity import bytes_of, stated_bytes
from charts_py.cluster_file.strict_model import Refused
from charts_py.cluster_file.training import Framework
from charts_py.platform.name_rule import NameRule, check_name
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.policy_settings import default_priority, policy_settings
from gpuplane.workloads import fits
from gpuplane.workloads.asked import NO_CHECKPOINT, Asked, AskedError
from gpuplane.workloads.compute import gpu_compute, quota_compute
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.nvlink_domain import domain_problems
from gpuplane.workloads.place import Place, chosen_place
from gpuplane.workloads.request import NO_SERVER, NOTHING, Request
from gpuplane.workloads.serving.fit import Split
from gpuplane.workloads.surge import SURGE_OF_ROLES, with_surge
from gpus.platform_names import SUBDOMAIN

_IMAGE = rf"({REGISTRY}/)?{PART}(/{PART})*(:{TAG})?(@{DIGEST})?"
_ALLOWED_IMAGE = "such as registry.example.com/research/train:1.4"
_NAME = NameRule("a workload", r"[a-z]([-a-z0-9]{0,45}[a-z0-9])?", 47, "finetune")
"""What KubeRay allows a RayJob, the least of all kinds: others add to it for names of pods, which
are labels of DNS (https://github.com/ray-project/kuberay, ray-operator/controllers/ray/utils)."""
_CLAIM = NameRule("a claim", SUBDOMAIN, 253, "corpus")
_STORAGE_CLASS = NameRule("a storage class", SUBDOMAIN, 253, "fast")
_MODEL = NameRule("a model", r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?", 63, "llama-3")
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/names/"""
_MAX_HOURS = 24 * 365
_MOST_EXPECTED = 10_000
"""GB/s, ten times what NVLink of today has within a rack."""


def parse_request(asked: Asked, kind: Kind, platform: Platform) -> Request:
    """Return the request; raise AskedError with all that is wrong with what is asked."""
    problems = [*check_values(asked, kind), *fits.framework_problems(asked, kind, platform)]
    try:
        place = chosen_place(asked, kind, platform)
    except AskedError as error:
        raise AskedError([*error.problems, *problems]) from None
    request = with_surge(_request(asked, kind, place, problems), kind, place)
    if found := [*domain_problems(request), *compute_problems(request), *kind.problems(request)]:
        raise AskedError(found)
    return request


def problems_of(
    asked: Asked, kind: Kind, platform: Platform, options: Collection[str]
) -> tuple[Problem, ...]:
    """Return what is wrong with the values of some options, as far as it can be known yet."""
    try:
        parse_request(asked, kind, platform)
    except AskedError as error:
        return tuple(each for each in error.problems if {*each.path} & {*options})
    return ()


def _request(asked: Asked, kind: Kind, place: Place, problems: list[Problem]) -> Request:
    platform = place.platform
    framework = fits.chosen_framework(asked, kind, platform)
    replicas = 1 if asked.replicas is None else asked.replicas
    # What has no replica while it sleeps has one while it does not.
    max_replicas = asked.max_replicas or (None if replicas else 1)
    copies = fits.Copies(replicas or 1, "--replicas")
    if asked.max_replicas is not None:
        copies = fits.Copies(max(replicas, asked.max_replicas), "--max-replicas")
    if asked.prefill_replicas:
        prefill = asked.prefill_replicas
        most = replicas + prefill + SURGE_OF_ROLES
        copies = fits.Copies(most, "--prefill-replicas", prefill, asked.gpus is not None)
    split = _usual_split(asked, kind, place, framework)
    if kind.size is not None and not problems:
        split = kind.size(asked, place.room(copies.most))
    found = [
        *fits.number_problems(kind, place, framework, split, copies),
        *problems,
        *_check_namespace(asked, kind, place.namespace),
    ]
    if found:
        raise AskedError(found)
    return Request(
        name=asked.name,
        platform=platform,
        settings=policy_settings(platform),
        namespace=place.namespace,
        pool=place.pool,
        resource=place.resource,
        gpus=split.gpus,
        nodes=split.nodes,
        image=asked.image or (kind.image(asked, platform, place.pool) if kind.image else ""),
        program=asked.program or kind.program,
        priority=asked.priority or default_priority(platform, place.namespace),
        hours=_hours(asked, kind),
        checkpoint=_checkpoint(asked, kind),
        storage_class=asked.storage_class,
        is_collective=kind.is_collective,
        framework=framework,
        data=asked.data,
        model=asked.model,
        beside=kind.beside + kind.asked_beside(asked),
        expected=asked.expected,
        replicas=replicas,
        max_replicas=max_replicas,
        prefill_replicas=asked.prefill_replicas or 0,
        canary=asked.canary,
        served=kind.served(asked) if kind.served else NO_SERVER,
    )


def _usual_split(asked: Asked, kind: Kind, place: Place, framework: Framework | None) -> Split:
    least = max(fits.least_nodes(framework), kind.least_nodes)
    return Split(
        place.usual_gpus(kind) if asked.gpus is None else asked.gpus,
        least if asked.nodes is None else asked.nodes,
    )


def _hours(asked: Asked, kind: Kind) -> int:
    return kind.hours or _MAX_HOURS if asked.hours is None else asked.hours


def _checkpoint(asked: Asked, kind: Kind) -> str | None:
    if asked.checkpoint == NO_CHECKPOINT or not kind.stores:
        return None
    return asked.checkpoint or kind.volume_size(asked)


def check_values(asked: Asked, kind: Kind) -> Iterator[Problem]:
    """Yield what is wrong on every cluster."""
    yield from check_name(_NAME, ("NAME",), asked.name)
    if not asked.image:
        if kind.image is None:
            yield Problem(("--image",), "missing", "an image with the program and its libraries")
    elif not re.fullmatch(_IMAGE, asked.image):
        what = f'"{asked.image}" is not the name of an image'
        yield Problem(("--image",), what, _ALLOWED_IMAGE)
    if not 1 <= _hours(asked, kind) <= _MAX_HOURS:
        yield Problem(("--hours",), f"{asked.hours} is out of bounds", f"1 to {_MAX_HOURS}")
    if asked.data is not None:
        yield from check_name(_CLAIM, ("--data",), asked.data)
    if asked.model is not None:
        yield from check_name(_MODEL, ("--model",), asked.model)
    yield from kind.values(asked)
    yield from _check_storage_class(asked, kind)
    yield from _check_program(asked, kind)
    yield from _check_measured(asked, kind)


def _check_measured(asked: Asked, kind: Kind) -> Iterator[Problem]:
    """Yield what only a kind that measures, or only one that does not, can be asked for."""
    stated = {"--data": asked.data, "--checkpoint": asked.checkpoint}
    for option in (name for name, value in stated.items() if value and not kind.stores):
        yield fits.left_out(option, f"kind {kind.name} reads and keeps nothing")
    if asked.expected is None:
        return
    if kind.stores:
        yield fits.left_out("--expected", "only an nccl-test measures bandwidth")
    elif not 0 < asked.expected <= _MOST_EXPECTED:
        allowed = f"above 0, at most {_MOST_EXPECTED}, in GB/s"
        yield Problem(("--expected",), f"{asked.expected:g} is out of bounds", allowed)


def _check_namespace(asked: Asked, kind: Kind, namespace: TeamNamespace) -> Iterator[Problem]:
    if asked.priority is not None and asked.priority not in namespace.team.priorities:
        allowed = namespace.team.priorities
        what = f'"{asked.priority}" is not among those of team {namespace.team_name}'
        nearest = nearest_name(asked.priority, allowed)
        yield Problem(("--priority",), what, ", ".join(allowed), nearest)
    yield from _check_volume(kind, _checkpoint(asked, kind), namespace)


def _check_storage_class(asked: Asked, kind: Kind) -> Iterator[Problem]:
    if asked.storage_class is None:
        return
    yield from check_name(_STORAGE_CLASS, ("--storage-class",), asked.storage_class)
    if asked.checkpoint == NO_CHECKPOINT:
        what = f"there is no volume with --{kind.volume} {NO_CHECKPOINT}"
        yield Problem(("--storage-class",), what, "one of both")


def _check_program(asked: Asked, kind: Kind) -> Iterator[Problem]:
    for argument in asked.program:
        # What the system hands over need not be UTF-8.
        shown = argument.encode(errors="backslashreplace").decode()
        if shown != argument:
            yield Problem(("PROGRAM",), f'"{shown}" is not UTF-8', "arguments in UTF-8")
    if asked.program and not kind.has_program:
        yield fits.left_out("PROGRAM", f"kind {kind.name} runs one of its own")
    if asked.hours is not None and kind.hours is None:
        yield fits.left_out("--hours", f"kind {kind.name} has no end of its own")


def _check_volume(kind: Kind, stated: str | None, namespace: TeamNamespace) -> Iterator[Problem]:
    if stated is None:
        return
    option, storage = (f"--{kind.volume}",), namespace.spec.quota.storage
    try:
        size = stated_bytes(stated)
    except Refused as refused:
        yield Problem(option, refused.what, refused.allowed, refused.nearest)
        return
    if not 0 < size <= bytes_of(storage):
        what = f"{stated} is out of bounds: the quota of {namespace.name} is {storage}"
        allowed = f"above 0, at most {storage}, or {NO_CHECKPOINT}"
        yield Problem(option, what, allowed)


def compute_problems(request: Request) -> Iterator[Problem]:
    each, name = gpu_compute(request), request.namespace.name
    if each.millicpu > 0 and each.memory > 0:
        return
    others = f" beside {request.beside} for those without" if request.beside != NOTHING else ""
    what = (
        f"the quota of {name} ({quota_compute(request)}) has nothing for each of {request.pods} "
        f"pods with GPUs{others}"
    )
    yield Problem(("--nodes",), what, "fewer pods, or more CPUs and memory in the quota")
