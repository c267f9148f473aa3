"""A hub starts a notebook on each of its profiles, and admission changes none of them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.components.jupyterhub.definition import hub_values
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.platform.hubs import hubs
from charts_py.platform.platform import Platform
from gpus.platform_names import JUDGED, POOL
from tests.charts_py.components.jupyterhub.spawned import spawned_pod
from tests.e2e.claims.cluster import rendered, write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.service_accounts import account_kubeconfig
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.more.notebooks.hub import Hub, install_kubespawner, render_hub, write_mounted
from tests.e2e.processes.component import component, last_lines
from tests.e2e.processes.logs import logged
from tests.e2e.releases.crds import pinned_files
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.nodes import cpu_node, joined, nodes_of
from tests.e2e.scheduling.placements import bound_pods
from tests.e2e.webhook.registration import ServeWebhook

COMPONENTS = ("priority-classes", "gpu-roles", "team-research")
RIGHTS = ("ServiceAccount", "Role", "RoleBinding")
SCRIPT = Path(__file__).with_name("spawner.py")
POD = {"apiVersion": "v1", "kind": "Pod"}
OF_THE_HUB = ("env", "lifecycle")
OF_ADMISSION = f"/metadata/annotations/{JUDGED.replace('/', '~1')}"
"""Says which rules have judged a pod."""
PATCH = "patch.webhook.admission.k8s.io/round_0_index_0"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/audit-annotations/"""


@pytest.fixture(scope="module")
def platform() -> Platform:
    return load_platform(SAMPLES / "notebooks.yaml", None)


@pytest.fixture(scope="module")
def hub(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> Hub:
    return render_hub(platform, pinned_files().directory, tmp_path_factory.mktemp("hub"))


@pytest.fixture(scope="module")
def cluster(
    platform: Platform,
    hub: Hub,
    admin: ApiClient,
    serve_webhook: ServeWebhook,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ApiClient]:
    """The team's namespace with the hub's rights in it, and a node of each pool."""
    release = write_release(platform, tmp_path_factory.mktemp("release"))
    nodes = [node for pool in platform.pools for node in nodes_of(platform, pool.name, 1)]
    objects = [*rendered(platform, *COMPONENTS), *hub.of_kinds(RIGHTS)]
    with joined(admin, *nodes, cpu_node("cpu-0")), applied(admin, objects), serve_webhook(release):
        yield admin


def test_admission_leaves_the_notebook_of_each_profile_as_kubespawner_sends_it(
    platform: Platform,
    hub: Hub,
    cluster: ApiClient,
    control_plane: ControlPlane,
    component_logs: Path,
    tmp_path: Path,
    evidence: Evidence,
) -> None:
    ((namespace, spec),) = hubs(platform)
    values = hub_values(platform, namespace, spec)
    profiles = {each["slug"]: each for each in values["singleuser"]["profileList"]}
    mounted = write_mounted(hub, tmp_path / "etc")
    command: list[str | Path] = [
        install_kubespawner(tmp_path / "venv"),
        SCRIPT,
        mounted,
        hub.namespace,
    ]
    kubeconfig = account_kubeconfig(control_plane, hub.namespace, hub.account)
    surroundings = {"KUBECONFIG": str(kubeconfig)}
    with (
        applied(cluster, [_volume(number) for number, _ in enumerate(profiles)]),
        component("kubespawner", command, component_logs, surroundings) as spawner,
    ):
        bound = bound_pods(cluster, hub.namespace, len(profiles))
        for pod in bound:
            cluster.patch({**POD, **pod}, {"status": _running(pod)}, "status")
        spawner.wait_until("past all starts", lambda: "started" in last_lines(spawner.log, 1))
        sent = _printed(spawner.log)
    assert {slug: _without_user(pod) for slug, pod in sent.items()} == {
        slug: _without_user(spawned_pod(values, profile)) for slug, profile in profiles.items()
    }
    assert _patches(control_plane.audit_log, hub.namespace) == {
        pod["metadata"]["name"]: [OF_ADMISSION] for pod in sent.values() if _pool(pod)
    }
    assert {pod["metadata"]["name"]: _pool(pod) for pod in bound} == {
        pod["metadata"]["name"]: _pool(pod) for pod in sent.values()
    }
    evidence.show(
        "Admission leaves the notebook of each profile of a hub as KubeSpawner sends it.",
        f"{len(bound)} pods, created as the hub's service account: {', '.join(sent)}; each has a "
        f"node of its pool, and the webhook adds `{JUDGED}` alone",
    )


def _volume(number: int) -> Document:
    spec = {
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": "10Gi"},
        "storageClassName": "ssd",
        "hostPath": {"path": f"/home-{number}"},
    }
    return manifest("v1 PersistentVolume", f"home-{number}", spec=spec)


def _running(pod: Document) -> Document:
    (container,) = pod["spec"]["containers"]
    ready = {"name": container["name"], "ready": True, "restartCount": 0}
    state = {"running": {"startedAt": "2026-01-01T00:00:00Z"}}
    status = {**ready, "state": state, "image": container["image"], "imageID": "none"}
    addresses = {"podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}]}
    return {"phase": "Running", **addresses, "containerStatuses": [status]}


def _printed(log: Path) -> dict[str, Document]:
    (line,) = (each for each in log.read_text().splitlines() if each.startswith("{"))
    found: dict[str, Document] = json.loads(line)
    return found


def _pool(pod: Document) -> str | None:
    found: str | None = pod["spec"].get("nodeSelector", {}).get(POOL)
    return found


def _without_user(pod: Document) -> Document:
    """Return what the profile decides of a pod: without its user, and what tells it of the hub."""
    (claim,) = (
        each["persistentVolumeClaim"]["claimName"]
        for each in pod["spec"]["volumes"]
        if "persistentVolumeClaim" in each
    )
    spec: Document = json.loads(
        json.dumps(pod["spec"]).replace(claim.removeprefix("claim-"), "USER")
    )
    (container,) = spec["containers"]
    container = {name: value for name, value in container.items() if name not in OF_THE_HUB}
    return {name: value for name, value in spec.items() if value} | {"containers": [container]}


def _patches(audit_log: Path, namespace: str) -> dict[str, list[str]]:
    """Return the paths at which the webhook changed pods, by the names of those that it saw."""
    return {
        event["objectRef"]["name"]: [each["path"] for each in json.loads(patch)["patch"]]
        for event in logged(audit_log)
        if (patch := event.get("annotations", {}).get(PATCH))
        and event["objectRef"].get("namespace") == namespace
    }
