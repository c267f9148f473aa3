"""What `--fix` writes holds, whatever the object: no later fix or remedy makes it wrong."""

import datetime as dt
import json
from functools import cache
from typing import Any, NamedTuple

import yaml
from hypothesis import assume, given, strategies as st

from charts_py.objects.document import Document
from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.fixes import FixedFile, fixed_files
from gpuplane.lint.judged_file import judged_files
from gpuplane.lint.lint_run import ClusterFacts, LintTerms
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.report import RuleSelection
from tests.conftest import CLUSTERS
from tests.gpuplane.lint.faults import (
    FAULTS,
    KINDS,
    NAMESPACES as CLUSTER_NAMESPACES,
    object_of,
    pod_with,
)

TERMS = LintTerms(dt.date(2026, 1, 1))
NAMESPACES = {
    "inference": "search-serving",
    "mixed": "vision-training",
    "training": "research-training",
}
GPUS = ["nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb"]
OFFERED = "nvidia.com/gpu"
ROUNDS = 5
"""Errors can hide others."""
_AMOUNTS = st.dictionaries(
    st.sampled_from([*GPUS, "vpc.amazonaws.com/efa"]),
    st.sampled_from([1, 2, 8, 9, "0.5", -1]),
    max_size=2,
)
_RESOURCES = st.builds(
    lambda limits, requests, memory: {"limits": {**limits, **memory}, "requests": requests},
    _AMOUNTS,
    _AMOUNTS | st.just({}),
    st.fixed_dictionaries({}, optional={"memory": st.sampled_from(["1Gi", "64Gi"])}),
)
_MOUNTS = st.sampled_from([[], [{"name": "shm", "mountPath": "/dev/shm"}]])  # noqa: S108 # in a pod
_CONTAINERS = st.lists(st.tuples(_RESOURCES, _MOUNTS), min_size=1, max_size=2)
_SPECS = st.fixed_dictionaries(
    {},
    optional={
        "hostIPC": st.just(True),
        "tolerations": st.just([{"key": "nvidia.com/gpu", "operator": "Exists"}]),
        "nodeSelector": st.just({"gpuplane.io/pool": "h100"}),
        "priorityClassName": st.sampled_from(["training", "nobodys"]),
    },
)
REMEDIES = {
    "gpu-node-intrusion": ("nodeSelector", "tolerations"),
    "granted-pools": ("nodeSelector",),
    "host-ipc": ("hostIPC",),
    "node-affinity": ("nodeSelector",),
    "pod-security": ("hostIPC",),
    "priority-class": ("priorityClassName",),
}
"""The fields of a pod that go as a rule asks for."""


@st.composite
def _objects(draw: st.DrawFn) -> tuple[str, Document]:
    cluster = draw(st.sampled_from([*NAMESPACES]))
    containers = [
        {
            "name": f"c{number}",
            "image": "registry.example.com/research/train:1.4",
            "resources": resources,
            "volumeMounts": mounts,
        }
        for number, (resources, mounts) in enumerate(draw(_CONTAINERS))
    ]
    volumes = [{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}]
    spec = {"restartPolicy": "Never", "containers": containers, "volumes": volumes, **draw(_SPECS)}
    metadata = {"name": "train", "namespace": NAMESPACES[cluster]}
    if draw(st.booleans()):
        return cluster, {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
    job = {"backoffLimit": 1, "ttlSecondsAfterFinished": 60, "template": {"spec": spec}}
    return cluster, {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": job}


def _written(document: Document) -> str:
    """Return it as YAML without aliases, which no fix touches."""
    return yaml.safe_dump(json.loads(json.dumps(document)))


@cache
def _clusters(name: str) -> tuple[ClusterFacts, ...]:
    return loaded_clusters(CLUSTERS, [name])


def _fixed(cluster: str, text: str) -> FixedFile:
    source = LintSource("job.yaml", text.encode())
    (file,) = fixed_files([source], _clusters(cluster), TERMS, RuleSelection())
    return file


def _found(cluster: str, text: str) -> list[LintFinding]:
    source = LintSource("job.yaml", text.encode())
    (found,) = judged_files([source], _clusters(cluster), TERMS)
    return [*found.findings]


class Faulty(NamedTuple):
    """An object with several faults, of one container or of a second one beside it."""

    cluster: str
    namespace: str
    kind: str
    queue: str
    faults: frozenset[str]
    sidecar: frozenset[str]

    @property
    def document(self) -> Document:
        template = pod_with(sorted(self.faults), sorted(self.sidecar))
        return object_of(self.kind, template, self.namespace, self.queue)

    @property
    def several(self) -> list[tuple[str, frozenset[str]]]:
        named = (("faults", self.faults), ("sidecar", self.sidecar))
        return [(field, frozenset({one})) for field, faults in named for one in faults]

    def without(self, field: str, faults: frozenset[str]) -> "Faulty":
        return self.having(field, getattr(self, field) - faults)

    def having(self, field: str, faults: Any) -> "Faulty":
        return self._replace(**{field: faults})


_FAULTY = st.sampled_from(
    [(cluster, name) for cluster, names in CLUSTER_NAMESPACES.items() for name in names]
).flatmap(
    lambda place: st.builds(
        Faulty,
        st.just(place[0]),
        st.just(place[1]),
        st.sampled_from(KINDS),
        st.sampled_from(["", place[1]]),
        st.frozensets(st.sampled_from(sorted(FAULTS)), max_size=4),
        st.frozensets(st.sampled_from(sorted(FAULTS)), max_size=2),
    )
)


@given(_objects() | _FAULTY.map(lambda one: (one.cluster, one.document)))
def test_nothing_is_written_into_an_object_that_keeps_an_error(
    chosen: tuple[str, Document],
) -> None:
    cluster, document = chosen
    text = _written(document)
    before, file = _found(cluster, text), _fixed(cluster, text)
    after = _found(cluster, file.after.decode())
    if any(one.keeps_fixes_out for one in after):
        assert not file.is_changed
    assert {one.rule for one in after} <= {one.rule for one in before}
    assert [one.rule for one in after if one.fix and file.is_changed] == []
    assert not _fixed(cluster, file.after.decode()).is_changed


def _remedied(document: Document, errors: list[LintFinding]) -> Document:
    """Return the object as its author leaves it who does what errors say, and asks for one GPU."""
    remedied: Document = yaml.safe_load(_written(document))
    spec = remedied["spec"]["template"]["spec"] if document["kind"] == "Job" else remedied["spec"]
    for one in errors:
        for field in REMEDIES.get(one.rule, ()):
            spec.pop(field, None)
    spec.setdefault("securityContext", {})["runAsUser"] = 1000
    for container in spec["containers"]:
        limits, requests = container["resources"].values()
        gpus = {OFFERED: 1} if {*GPUS} & {*limits, *requests} else {}
        container["resources"] = {"limits": {**gpus, "memory": "1Gi"}, "requests": {}}
    return remedied


@given(_FAULTY)
def test_once_the_author_takes_back_what_errors_are_about_nothing_new_is_found(one: Faulty) -> None:
    clean = one._replace(faults=frozenset(), sidecar=frozenset())
    assume(not _errors_of(clean)[0])
    known = _rules(one) | _rules(clean)
    errors, found = _errors_of(one)
    while errors:
        guilty = [
            (field, fault)
            for field, fault in one.several
            if len(_errors_of(one.without(field, fault))[0]) < len(errors)
        ]
        # Two faults can be the same: then either goes.
        for field, fault in guilty or one.several[:1]:
            one = one.without(field, fault)
        errors, found = _errors_of(one)
    # GPUs whose number is none hide what is wrong with them.
    hidden = [_rules(clean.having(field, fault)) for field, fault in one.several]
    assert {each.rule for each in found} <= known.union(*hidden)


def _rules(one: Faulty) -> set[str]:
    return {each.rule for each in _found(one.cluster, _written(one.document))}


def _errors_of(one: Faulty) -> tuple[list[LintFinding], list[LintFinding]]:
    """Return the errors that fixing leaves, and all that it leaves."""
    file = _fixed(one.cluster, _written(one.document))
    found = _found(one.cluster, file.after.decode())
    return [each for each in found if each.severity is LintSeverity.ERROR], found


@given(_objects())
def test_once_the_author_does_what_errors_say_nothing_new_is_found(
    chosen: tuple[str, Document],
) -> None:
    cluster, document = chosen
    text = _written(document)
    before = _found(cluster, text)
    known = {one.rule for one in before}
    for _ in range(ROUNDS):
        file = _fixed(cluster, text)
        found = _found(cluster, file.after.decode())
        errors = [one for one in found if one.severity is LintSeverity.ERROR]
        if not errors:
            break
        text = _written(_remedied(yaml.safe_load(file.after), errors))
    assert [one.full_message for one in errors] == []
    assert {one.rule for one in found} <= known
