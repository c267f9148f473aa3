"""`gpuplane repair` reboots or replaces nodes at an API server, and can do nothing else there."""

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from charts_py.components.gpu_repair.objects import REBOOT_NAMESPACE, ROUNDS
from charts_py.components.rounds import SETTINGS_KEY
from charts_py.constructs.render import render
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.errors import ExitCode
from gpus.platform_names import POOL
from repair.names import PLANNED_AT, REPAIRED_AT
from repair.settings import Settings
from rounds.settings import read
from tests.e2e.control_plane.api_client import MERGE_PATCH, ApiClient, why_not
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import install_unserved
from tests.e2e.releases.objects import applied
from tests.e2e.rounds import Round, run_round
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of

TEAM = "gpu-repair"
FAULT = "NvidiaXID95Error"
NAMED = {REBOOT_NAMESPACE.name, ROUNDS.namespace}
REF = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "h100"}
FINALIZER = "karpenter.sh/termination"


@dataclass(frozen=True, slots=True)
class Repair:
    """What repair is given on one platform, and nodes that are set aside for a broken GPU."""

    control_plane: ControlPlane
    folder: Path
    release: tuple[Document, ...]
    nodes: list[Document]

    @property
    def admin(self) -> ApiClient:
        return self.control_plane.admin

    @property
    def settings(self) -> Settings:
        (config,) = (each for each in self.release if each["kind"] == "ConfigMap")
        return read(config["data"][SETTINGS_KEY], Settings)

    def round(self) -> Round:
        return run_round(self.control_plane, ROUNDS, self.settings, self.folder)

    def decisions(self) -> list[str]:
        """Make a round, and return what became of the nodes, by their order."""
        done = self.round()
        assert (done.faults, done.code) == ("", ExitCode.FINE)
        names = [node["metadata"]["name"] for node in self.nodes]
        by_name = {line["node"]: line["event"] for line in done.lines}
        return [by_name[name] for name in names]

    def date_back(self, number: int, annotation: str, **ago: float) -> None:
        """Have an annotation of a node say that it is older."""
        time = (dt.datetime.now(dt.UTC) - dt.timedelta(**ago)).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.admin.patch(self.nodes[number], {"metadata": {"annotations": {annotation: time}}})

    def node(self, number: int) -> Document:
        return self.admin.get("v1", "Node", self.nodes[number]["metadata"]["name"])

    def reboots(self) -> list[str]:
        pods = self.admin.find("v1", "Pod", REBOOT_NAMESPACE.name)
        return [pod["spec"]["nodeName"] for pod in pods]


@contextmanager
def repairing(
    control_plane: ControlPlane, folder: Path, sample: str, action: str = "act"
) -> Iterator[Repair]:
    """Yield two nodes with broken GPUs of a sample's first pool, and what it has of repair."""
    file = folder / "sample.yaml"
    text = (SAMPLES / f"{sample}.yaml").read_text(encoding="utf-8")
    file.write_text(text.replace("repair: act", f"repair: {action}"), encoding="utf-8")
    platform = load_platform(file, None)
    folders = render(platform).folders
    made = [each for each in folders["namespaces"] if each["metadata"]["name"] in NAMED]
    nodes = list(nodes_of(platform, platform.pools[0].name, 2))
    team = manifest("v1 Namespace", TEAM)
    with ExitStack() as stack:
        stack.enter_context(joined(control_plane.admin, *nodes))
        stack.enter_context(applied(control_plane.admin, [*made, team, *folders["gpu-repair"]]))
        for node in nodes:
            _break(control_plane.admin, platform, node)
        yield Repair(control_plane, folder, folders["gpu-repair"], nodes)


def _break(admin: ApiClient, platform: Platform, node: Document) -> None:
    """Say of a node what the detector and the readiness controller do."""
    hour_ago = dt.datetime.now(dt.UTC) - dt.timedelta(hours=1)
    since = {"lastTransitionTime": hour_ago.strftime("%Y-%m-%dT%H:%M:%SZ")}
    fault = {"type": "gpuplane.io/GpuHardwareFault", "status": "True", "reason": FAULT, **since}
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", **since}
    info = {"bootID": f"{node['metadata']['name'][-1]}f4d2a6e-0000-4000-8000-000000000000"}
    needed = (
        *("architecture", "containerRuntimeVersion", "kernelVersion", "kubeProxyVersion"),
        *("kubeletVersion", "machineID", "operatingSystem", "osImage", "systemUUID"),
    )
    status = {"conditions": [ready, fault], "nodeInfo": {**dict.fromkeys(needed, ""), **info}}
    admin.patch(node, {"status": status}, "status")
    (taint,) = platform.contribution.health_taints
    broken = {"key": taint.key, "value": taint.value, "effect": taint.effect}
    admin.patch(node, {"spec": {"taints": [*node["spec"]["taints"], broken]}})


def _claimed(admin: ApiClient, node: Document) -> Document:
    """Return a NodeClaim that owns a node, as Karpenter makes both."""
    name = f"claim-of-{node['metadata']['name']}"
    labels = {POOL: node["metadata"]["labels"][POOL]}
    claim = manifest(
        "karpenter.sh/v1 NodeClaim",
        name,
        metadata={"labels": labels, "finalizers": [FINALIZER]},
        spec={"nodeClassRef": REF, "requirements": []},
    )
    install_unserved(admin, [claim])
    uid = admin.create(claim).document["metadata"]["uid"]
    reference = {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "name": name, "uid": uid}
    admin.patch(node, {"metadata": {"ownerReferences": [reference]}})
    return claim


def _told(admin: ApiClient) -> list[str]:
    events = admin.find("v1", "Event", "default", fieldSelector="reason=GpuRepair")
    return [event["message"] for event in events]


def test_to_observe_does_nothing_but_tell(control_plane: ControlPlane, tmp_path: Path) -> None:
    with repairing(control_plane, tmp_path, "repair-reboot", "observe") as repair:
        before = len(_told(repair.admin))
        assert repair.decisions() == ["would-repair", "waits"]
        assert REPAIRED_AT not in repair.node(0)["metadata"].get("annotations", {})
        assert len(_told(repair.admin)) == before + 1


def test_a_node_is_rebooted_once_within_a_day_and_never_beside_a_pod(
    control_plane: ControlPlane, tmp_path: Path, evidence: Evidence
) -> None:
    with repairing(control_plane, tmp_path, "repair-reboot") as repair:
        admin = repair.admin
        name = repair.nodes[0]["metadata"]["name"]
        working = gpu_pod("working", TEAM, {"nvidia.com/gpu": 8})
        admin.create({**working, "spec": {**working["spec"], "nodeName": name}})
        repair.admin.patch(repair.nodes[1], {"spec": {"unschedulable": True}})
        assert (repair.decisions(), repair.reboots()) == (["in-use", "left-alone"], [])
        admin.delete(working)
        admin.wait_until_gone(working)
        assert (repair.decisions(), repair.reboots()) == (["planned", "left-alone"], [])
        repair.date_back(0, PLANNED_AT, minutes=5)
        assert (repair.decisions(), repair.reboots()) == (["repaired", "left-alone"], [name])
        repair.admin.patch(repair.nodes[1], {"spec": {"unschedulable": None}})
        assert repair.decisions() == ["under-way", "waits"]
        # As after a boot 23 hours ago.
        boot = {"nodeInfo": {**repair.node(0)["status"]["nodeInfo"], "bootID": "another"}}
        admin.patch(repair.nodes[0], {"status": boot}, "status")
        repair.date_back(0, REPAIRED_AT, hours=23)
        again = repair.decisions()
        assert again == ["needs-a-person", "planned"]
        repair.date_back(1, PLANNED_AT, minutes=5)
        assert repair.decisions() == ["needs-a-person", "repaired"]
        assert len(repair.reboots()) == len(set(repair.reboots())) == 2
        evidence.show(
            "Repair reboots a machine of one's own that is set aside for a broken GPU, once within "
            "a day, one at a time, and none on which a pod runs, or that is cordoned.",
            f"with a pod: in-use; without: planned, and by the next round repaired, by a pod in "
            f"{REBOOT_NAMESPACE.name}; at once: under-way; set aside after 23 hours: {again[0]}; "
            "one that is cordoned: left-alone",
        )


def test_a_node_of_karpenter_loses_its_node_claim_once(
    control_plane: ControlPlane, tmp_path: Path, evidence: Evidence
) -> None:
    with repairing(control_plane, tmp_path, "repair-replace") as repair:
        claims = [_claimed(repair.admin, node) for node in repair.nodes]
        try:
            assert repair.decisions() == ["planned", "waits"]
            repair.date_back(0, PLANNED_AT, minutes=5)
            assert repair.decisions() == ["repaired", "waits"]
            first, second = (
                repair.admin.get("karpenter.sh/v1", "NodeClaim", each["metadata"]["name"])
                for each in claims
            )
            assert "deletionTimestamp" in first["metadata"]
            assert "deletionTimestamp" not in second["metadata"]
            assert repair.decisions() == ["under-way", "waits"]
        finally:
            for node, claim in zip(repair.nodes, claims, strict=True):
                # Else the garbage collector deletes the node, as it does with Karpenter's.
                repair.admin.patch(node, {"metadata": {"ownerReferences": None}})
                repair.admin.delete(claim)
                repair.admin.patch(claim, {"metadata": {"finalizers": None}})
        evidence.show(
            "Repair deletes the NodeClaim of a node that is set aside for a broken GPU, one at a "
            "time.",
            "the NodeClaim of the first node ends, that of the second stays: repaired, waits",
        )


@pytest.mark.parametrize("sample", ["repair-reboot", "repair-replace"])
def test_whoever_has_its_token_can_taint_no_node_and_run_nothing_else_on_one(
    control_plane: ControlPlane, tmp_path: Path, sample: str
) -> None:
    with repairing(control_plane, tmp_path, sample) as repair:
        groups = ("system:serviceaccounts", "system:authenticated")
        thief, node = repair.admin.impersonating(ROUNDS.user, *groups), repair.nodes[0]

        def changes(change: Document) -> None:
            path = thief.path_of(node)
            thief.request("PATCH", path, change, MERGE_PATCH, dryRun="All")

        owner = {"apiVersion": "v1", "kind": "Pod", "name": "of-nobody", "uid": "a"}
        others: list[Document] = [
            {"spec": {"unschedulable": True}},
            {"metadata": {"labels": {POOL: "another"}}},
            {"metadata": {"ownerReferences": [owner]}},
            {"metadata": {"finalizers": ["example.com/for-ever"]}},
            {"metadata": {"annotations": {"etcd.k3s.cattle.io/remove": "true"}}},
        ]
        said = "Repair changes its own annotations of nodes of pools, and nothing else."
        once_told(said, lambda: why_not(changes, {"spec": {"taints": []}}))
        assert [each for each in others if not why_not(changes, each).endswith(said)] == []
        changes({"metadata": {"annotations": {REPAIRED_AT: ""}}})
        if repair.settings.pod:
            _runs_nothing_else(thief, repair.settings.pod, node)
        else:
            _deletes_nothing_else(repair.admin, thief)


def once_told(words: str, look: Callable[[], str]) -> None:
    """Wait for a refusal in some words: the API server reads late of rights and of each policy."""
    once_seen(look, lambda told: words in told)


def _runs_nothing_else(thief: ApiClient, pod: Document, node: Document) -> None:
    name, pool = node["metadata"]["name"], node["metadata"]["labels"][POOL]
    (of_settings,) = pod["spec"]["containers"]
    env = [{"name": "BOOT_ID", "value": "1f4d"}, {"name": "NOT_AFTER", "value": "1"}]
    container = {**of_settings, "env": env}
    placed = {"nodeName": name, "nodeSelector": {POOL: pool}}
    spec = {**pod["spec"], **placed, "containers": [container]}

    def refusal_of(**changed: Any) -> str:
        tried = {**pod, "metadata": {**pod["metadata"], "name": "a"}, "spec": {**spec, **changed}}
        return why_not(thief.create, tried, dryRun="All")

    once_told("and no others", lambda: refusal_of(nodeSelector={}))
    assert refusal_of() == ""
    hook = {"postStart": {"exec": {"command": ["sh"]}}}
    others: list[dict[str, Any]] = [
        {"containers": [{**container, "command": ["sh"]}]},
        {"containers": [{**container, "args": ["a"]}]},
        {"containers": [{**container, "lifecycle": hook}]},
        {"containers": [{**container, "env": [*env, {"name": "PATH", "value": "0"}]}]},
        {"containers": [{**container, "workingDir": "/proc/1/root/tmp"}]},
        {"containers": [{**container, "terminationMessagePath": "/usr/bin/cat"}]},
        {"restartPolicy": "Always"},
        {"containers": [{**container, "image": "example.com/other"}]},
        {"containers": [container, {**container, "name": "b"}]},
        {"initContainers": [{**container, "name": "b"}]},
        {"volumes": [{"name": "host", "hostPath": {"path": "/"}}]},
    ]
    assert [each for each in others if "and no others" not in refusal_of(**each)] == []


def _deletes_nothing_else(admin: ApiClient, thief: ApiClient) -> None:
    spec = {"nodeClassRef": REF, "requirements": []}
    claim = manifest("karpenter.sh/v1 NodeClaim", "of-somebody", spec=spec)
    install_unserved(admin, [claim])
    admin.create(claim)
    try:
        path = thief.path_of(claim)
        once_told(
            "Repair deletes NodeClaims of pools alone.",
            lambda: why_not(thief.request, "DELETE", path, dryRun="All"),
        )
    finally:
        admin.delete(claim)
