"""An object of the platform does what it states, and something in the cluster acts on it.

Kubernetes takes each of these objects, and nothing comes of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from charts_py.extensions.manifest_files import read_mapping
from charts_py.objects.document import Document
from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.rule import (
    LintContext,
    LintObject,
    LintRule,
    RuleFinding,
    by_kind,
    written_containers,
)
from gpuplane.lint.unread_queues import unread_queues
from gpuplane.workloads.capacity import more_than, most_pods
from gpus.catalog import load_catalog
from gpus.mig import MigGeometry
from gpus.nearest import is_one_typo, nearest, nearest_hint
from gpus.platform_names import KEYS, LABEL_PREFIX
from gpus.sharing import MIN_REPLICAS
from policies.document import Json, elements, escaped, members, pointer, shown, text
from policies.operation import Operation
from policies.settings import JobKind
from policies.workloads.registry import NATIVE_GROUPS, Author, workload_kind

_STRATEGIES = ("none", "single", "mixed")
_WAYS = ("timeSlicing", "mps")
_REQUESTS, _LIMITS = "requests.", "limits."
_IMAGE = re.compile(r"(?:.*/)?k8s-device-plugin(?:[:@].*)?", re.DOTALL)
_PROGRAM = "nvidia-device-plugin"
_NOT_OF_A_GAUGE = re.compile(r"\b(increase|rate|irate)\s*\(\s*DCGM_FI_DEV_XID_ERRORS\b")
_KEYS = [key.removeprefix(f"{LABEL_PREFIX}/") for key in KEYS]
_Reader = Callable[[LintObject, LintContext], Iterator[RuleFinding]]


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    yield from _unread(one, context)
    yield from _misspelled_keys(one)
    yield from unread_queues(one, context)
    if (reader := _READERS.get(one.kind)) is not None:
        yield from reader(one, context)


def is_read(document: Document, kind: JobKind) -> bool:
    """Whether the rule judges what an object states; of ConfigMaps it knows two."""
    return kind in _READERS and (kind.kind != "ConfigMap" or any(_configs(document)))


def _unread(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find a kind whose controller the cluster file does not install."""
    fields = _installing(one)
    if fields is None or f"{one.kind.kind}.{one.kind.group}" in context.facts.brings:
        return
    if context.is_meant and {*context.facts.lacks}.issuperset(fields):
        way = f"Have the platform team set {' or '.join(fields)}; ignore" if fields else "Ignore"
        yield RuleFinding(
            "/kind",
            f"Nothing that the cluster file installs acts on the kind {shown(one.kind.kind)} of "
            f"{shown(one.document.get('apiVersion'))}, so that it does nothing.",
            f"{way} it if somebody else installs its controller.",
        )


def _installing(one: LintObject) -> Sequence[str] | None:
    """Return the fields that install what acts on a kind; None where Kubernetes does, or nobody."""
    table: Mapping[JobKind, Sequence[str]] = by_kind("controllers")
    of_version = JobKind(text(one.document.get("apiVersion")), one.kind.kind)
    known = workload_kind(one.kind.group, one.kind.kind)
    is_of_teams = known is not None and known.author is Author.TEAM
    fallback = () if is_of_teams and one.kind.group not in NATIVE_GROUPS else None
    return table.get(of_version, table.get(one.kind, fallback))


def _misspelled_keys(one: LintObject) -> Iterator[RuleFinding]:
    """Find labels and annotations whose names are close to those that the platform reads."""
    holders = {each.pointer: each.document for each in one.templates if not each.partial}
    for at, holder in {**holders, "": one.document}.items():
        for field in ("labels", "annotations"):
            for key in members(members(holder.get("metadata")).get(field)):
                prefix, _, name = key.partition("/")
                is_unknown = prefix == LABEL_PREFIX and name not in _KEYS
                close = [each for each in _KEYS if is_unknown and is_one_typo(name, each)]
                if close:
                    yield RuleFinding(
                        f"{at}/metadata/{field}/{escaped(key)}",
                        f"Nothing reads {shown(key)}.",
                        f"Rename it to {LABEL_PREFIX}/{close[0]}.",
                    )


def _quota(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-for-extended-resources."""
    hard = members(members(one.document.get("spec")).get("hard"))
    for name, amount in hard.items():
        resource = name.removeprefix(_LIMITS)
        if context.offer.names.is_gpu(resource):
            counted, place = f"{_REQUESTS}{resource}", f"/spec/hard/{escaped(name)}"
            renamed = Operation("add", f"/spec/hard/{escaped(counted)}", amount)
            is_there = counted in hard or (name != resource and resource in hard)
            yield RuleFinding(
                place,
                f"The quota limits nothing by {shown(name)}: extended resources are counted by the "
                f"prefix {_REQUESTS} alone.",
                "Leave it out." if is_there else f"Rename it to {shown(counted)}.",
                () if is_there else (Operation("remove", place), renamed),
            )


def _alerts(one: LintObject, _context: LintContext) -> Iterator[RuleFinding]:
    """Find a gauge that is read as a counter (dcgm-exporter, etc/default-counters.csv)."""
    for index, group in enumerate(elements(members(one.document.get("spec")).get("groups"))):
        for number, rule in enumerate(elements(members(group).get("rules"))):
            fields = members(rule)
            if found := _NOT_OF_A_GAUGE.search(text(fields.get("expr"))):
                name = shown(text(fields.get("alert")) or text(fields.get("record")))
                yield RuleFinding(
                    f"/spec/groups/{index}/rules/{number}/expr",
                    f"The rule {name} takes {found[1]} of DCGM_FI_DEV_XID_ERRORS, which is the "
                    "code of the last error and counts nothing.",
                    "Compare the code itself, or count its changes().",
                )


def _second_plugin(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find a plugin beside the cluster's; the kubelet forgets the one that a later one replaces.

    `PluginConnected` in https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/kubelet/cm/devicemanager/manager.go
    """
    if not any(name.startswith("nvidia.com/") for name in context.offer.resources):
        return
    for template in one.templates:
        for container in written_containers(template):
            # The image holds GPU feature discovery and others, too, by another command.
            command = container.raw.get("command", [_PROGRAM])
            is_plugin = any(text(each).endswith(_PROGRAM) for each in elements(command))
            if is_plugin and _IMAGE.fullmatch(text(container.raw.get("image"))):
                yield RuleFinding(
                    f"{container.pointer}/image",
                    f"The {container.culprit} is a second device plugin for NVIDIA's GPUs: the "
                    "cluster has one, and the kubelet gives out the GPUs of whichever registers "
                    "last.",
                    "Leave it out; how GPUs are shared is stated in the cluster file's pools.",
                )


def _cluster_policy(one: LintObject, _context: LintContext) -> Iterator[RuleFinding]:
    strategy = members(members(one.document.get("spec")).get("mig")).get("strategy")
    yield from _strategy(strategy, "/spec/mig/strategy")


def _configs(document: Document) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield what the device plugin or the MIG manager reads, and the JSON Pointer to each."""
    for name, value in members(document.get("data")).items():
        written = text(value)
        if "mig-configs:" in written or "sharing:" in written or "migStrategy:" in written:
            content = read_mapping(written)
            if "version" in content and {"mig-configs", "sharing", "flags"} & content.keys():
                yield pointer("data", name), content


def _config_map(one: LintObject, _context: LintContext) -> Iterator[RuleFinding]:
    for place, content in _configs(one.document):
        for name, entries in members(content.get("mig-configs")).items():
            for entry in map(members, elements(entries)):
                devices = members(entry.get("mig-devices")) if entry.get("mig-enabled") else {}
                if problem := _wrong_layout(devices):
                    yield RuleFinding(
                        place,
                        f"The MIG configuration {shown(name)} fits no GPU: {problem}.",
                        "State instances that one GPU can hold.",
                    )
        yield from _strategy(members(content.get("flags")).get("migStrategy"), place)
        for way in _WAYS:
            shared = members(members(content.get("sharing")).get(way)).get("resources")
            for resource in map(members, elements(shared)):
                yield from _replicas(resource, way, place)


def _strategy(strategy: Json, place: str) -> Iterator[RuleFinding]:
    """`validateFlags` in https://github.com/NVIDIA/k8s-device-plugin, cmd/nvidia-device-plugin."""
    if strategy is None or strategy in _STRATEGIES or is_placeholder(strategy):
        return
    hint = nearest_hint(nearest(text(strategy), _STRATEGIES))
    yield RuleFinding(
        place,
        f"The device plugin does not start with the MIG strategy {shown(strategy)}{hint}.",
        f"Set it to {', '.join(_STRATEGIES[:-1])} or {_STRATEGIES[-1]}.",
    )


def _replicas(resource: Mapping[str, Json], way: str, place: str) -> Iterator[RuleFinding]:
    """`UnmarshalJSON` in https://github.com/NVIDIA/k8s-device-plugin, api/config/v1/replicas.go."""
    count, name = resource.get("replicas"), text(resource.get("name"))
    if not name or type(count) is not int or count < MIN_REPLICAS:
        stated = f"replicas {shown(count)}" if "replicas" in resource else "no replicas"
        of = shown(name) if name else "a resource without a name"
        yield RuleFinding(
            place,
            f"The device plugin does not start, as {way} has {stated} for {of}.",
            f"State a name and {MIN_REPLICAS} replicas or more, or leave out the resource.",
        )


def _wrong_layout(devices: Mapping[str, Json]) -> str:
    """Return why no GPU has these instances; empty where one may."""
    layout = {name: count for name, count in devices.items() if type(count) is int}
    if not layout or len(layout) < len(devices):
        return ""
    geometries = _geometries()
    known = {profile.name for each in geometries for profile in each.profiles}
    for name in layout:
        if name not in known:
            close = nearest(name, sorted(known))
            return f"no GPU has the profile {shown(name)}{nearest_hint(close)}" if close else ""
    able = [each for each in geometries if layout.keys() <= {one.name for one in each.profiles}]
    problems = [each.problem(layout) for each in able]
    return (problems[0] or "") if problems and all(problems) else ""


@cache
def _geometries() -> Sequence[MigGeometry]:
    models = load_catalog().models.values()
    return [*{id(each.mig): each.mig for each in models if each.mig}.values()]


def _training(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """`gpuplane expand` says what is left to ask for; here each worker needs one GPU at least."""
    spec = members(one.document.get("spec"))
    workers, gpus = spec.get("workers", 1), spec.get("gpusPerWorker", 1)
    pools = [*dict.fromkeys(capacity.pool for capacity in context.capacities)]
    if not pools or type(workers) is not int or type(gpus) is not int or gpus < 1:
        return
    if workers > most_pods(context.capacities, pools, gpus, quota_by_pool=False):
        yield RuleFinding(
            "/spec/workers",
            f"{workers} workers are {more_than(pools, context.namespace)}, so `gpuplane expand` "
            "refuses it.",
            "Ask for fewer workers.",
        )


_READERS: Mapping[JobKind, _Reader] = {
    JobKind("", "ConfigMap"): _config_map,
    JobKind("", "ResourceQuota"): _quota,
    JobKind("apps", "DaemonSet"): _second_plugin,
    JobKind("gpuplane.io", "DistributedTraining"): _training,
    JobKind("monitoring.coreos.com", "PrometheusRule"): _alerts,
    JobKind("nvidia.com", "ClusterPolicy"): _cluster_policy,
}

RULE = LintRule(
    "without-effect",
    "An object of the platform does what it states, and something acts on it.",
    check,
)
