"""A control plane in which each way to admit pods has a namespace, and one has none."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psutil

from benchmarks.apiserver_alone import ALONE, CALLED, write_alone
from benchmarks.apiserver_load import Creates
from benchmarks.apiserver_modes import NAMESPACES, NOBODY, write_mode
from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platforms
from gpus.platform_names import FIXED
from tests.e2e.control_plane.api_connection import ApiError
from tests.e2e.control_plane.control_plane import running_control_plane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.folders import CLUSTERS
from tests.e2e.polling import polls
from tests.e2e.releases.objects import applied, read_release
from tests.e2e.webhook.files import write_webhook_files
from tests.e2e.webhook.platform_webhook import serving
from tests.e2e.webhook.registration import registered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from policies.document import Document
    from tests.binaries.control_plane import ControlPlaneBinaries
    from tests.e2e.control_plane.api_client import ApiClient
    from tests.e2e.control_plane.control_plane import ControlPlane
    from tests.e2e.webhook.platform_webhook import PlatformWebhook

CLUSTER = "training"
TEAM = "team-research"
REVIEWED = "research-training"
"""A team's namespace, for which the rules have settings."""
FIXES = "tolerations,priority-class,team-labels,shared-memory"
"""What the pod needs."""
_KNOWN_SECONDS = 60


@dataclass(frozen=True, slots=True)
class MeasuredCluster:
    """What to create in it, by namespace, and the API server."""

    creates: Mapping[str, Creates]
    api_server: psutil.Process

    def cpu_seconds(self) -> float:
        """Return what the API server has used of its cores so far."""
        times = self.api_server.cpu_times()
        return float(times.user + times.system)


@contextmanager
def running_cluster(
    binaries: ControlPlaneBinaries, folder: Path, logs: Path, timeout_seconds: int | None = None
) -> Iterator[MeasuredCluster]:
    """Run it; raise TimeoutError where the pod is not fixed and judged as is measured.

    The webhook has the timeout of its release, unless another is given.
    """
    files = folder / "control-plane"
    files.mkdir()
    releases = {name: _rendered(name, folder / name) for name in (*NAMESPACES, *ALONE)}
    with running_control_plane(binaries, files, logs) as control_plane, ExitStack() as stack:
        admin = control_plane.admin
        _prepare(admin, *releases.values())
        for name, release in releases.items():
            webhook = stack.enter_context(_admitting(admin, release, logs, timeout_seconds))
            _wait_until_admitted(admin, name, webhook)
        names = (NOBODY, *releases)
        process = psutil.Process(control_plane.api_server.process.pid)
        yield MeasuredCluster({name: _creates(control_plane, name) for name in names}, process)


def _rendered(namespace: str, folder: Path) -> Path:
    (platform,) = (e for e in load_platforms(find_cluster_files(CLUSTERS)) if e.name == CLUSTER)
    if namespace in ALONE:
        write_alone(platform, REVIEWED, namespace, folder)
    else:
        write_mode(platform, NAMESPACES[namespace], REVIEWED, namespace, folder)
    return folder


def _prepare(admin: ApiClient, release: Path, *_others: Path) -> None:
    """Create the namespaces, which differ only in their names, and the priority classes."""
    (labels,) = (
        each["metadata"]["labels"]
        for each in read_release(release, TEAM)
        if each["kind"] == "Namespace" and each["metadata"]["name"] in NAMESPACES
    )
    for name in (NOBODY, *NAMESPACES, *ALONE):
        make_namespace(admin, name, labels)
    for each in read_release(release, "priority-classes"):
        admin.apply(each)


@contextmanager
def _admitting(
    admin: ApiClient, release: Path, logs: Path, timeout_seconds: int | None
) -> Iterator[PlatformWebhook | None]:
    """Have pods admitted as a release says; yield its webhook, if it has one."""
    webhook = None
    with ExitStack() as stack:
        stack.enter_context(applied(admin, read_release(release, "admission-policies")))
        if (release / "webhook").exists():
            folder = release / "served"
            folder.mkdir()
            files = write_webhook_files(release, folder)
            webhook = stack.enter_context(serving(files, logs))
            called = registered(admin, release, webhook.address, files, timeout_seconds)
            stack.enter_context(called)
        yield webhook


def _wait_until_admitted(admin: ApiClient, namespace: str, webhook: PlatformWebhook | None) -> None:
    """Try pods until the API server, which reads of all late, has one fixed and one denied."""
    found = ("", "")
    fixes = "" if namespace == CALLED else FIXES
    for _ in polls(_KNOWN_SECONDS):
        found = (_fixes(admin, namespace), _denial(admin, namespace))
        is_called = webhook is None or webhook.fixes() > 0
        is_judged = namespace in ALONE or "image-registry: " in found[1]
        if found[0] == fixes and is_called and is_judged:
            return
    raise TimeoutError(f"the pod in {namespace} is admitted otherwise: {found}")


def _fixes(admin: ApiClient, namespace: str) -> str:
    made = admin.create(_pod(namespace), dryRun="All").document
    return str(made["metadata"].get("annotations", {}).get(FIXED, ""))


def _denial(admin: ApiClient, namespace: str) -> str:
    foreign = copy.deepcopy(_pod(namespace))
    foreign["spec"]["containers"][0]["image"] = "docker.io/somebody/train:1.2.3"
    try:
        admin.create(foreign, dryRun="All")
    except ApiError as error:
        return error.message
    return ""


def _creates(control_plane: ControlPlane, namespace: str) -> Creates:
    port = urlsplit(control_plane.server).port
    assert port is not None  # noqa: S101 # the control plane chose one
    files = control_plane.files
    return Creates(port, files.authority, files.tokens[ADMIN], _pod(namespace), FIXED.encode())


def _pod(namespace: str) -> Document:
    """Return a training pod that meets the restricted pod security of a team's namespace."""
    container = {
        "name": "train",
        "image": "registry.example.com/research/train:1.2.3",
        "command": ["torchrun", "--nproc-per-node=8", "train.py"],
        "env": [{"name": f"OPTION_{number}", "value": f"value-{number}"} for number in range(8)],
        "resources": {"limits": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"generateName": "train-", "namespace": namespace},
        # Pools that the namespace may use, which would be one more fix otherwise.
        "spec": {
            "restartPolicy": "Never",
            "containers": [container],
            "nodeSelector": {"gpuplane.io/pool": "h100"},
        },
    }
