"""A control plane in which each way to admit pods has a namespace, and one has none."""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from benchmarks.apiserver_releases import ALONE, CALLED, NAMESPACES, NOBODY, write_alone, write_mode
from benchmarks.load import LoadResult, Request, put_load
from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platforms
from gpus.platform_names import FIXED
from policies.document import Document
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.control_plane.control_plane import ControlPlane, running_control_plane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.folders import CLUSTERS
from tests.e2e.polling import polls
from tests.e2e.releases.objects import applied, read_release
from tests.e2e.webhook.platform_webhook import PlatformWebhook, serving, write_webhook_files
from tests.e2e.webhook.registration import registered

CLUSTER = "training"
TEAM = "team-research"
REVIEWED = "research-training"
"""A team's namespace, for which the rules have settings."""
FIXES = "tolerations,priority-class,team-labels,shared-memory"
"""What the pod needs."""
_KNOWN_SECONDS = 60
_POD = Path(__file__).with_name("training_pod.json")


@dataclass(frozen=True, slots=True)
class MeasuredCluster:
    """What to create in it, by namespace, and the API server."""

    creates: Mapping[str, Request]
    api_server: psutil.Process
    port: int
    tls: ssl.SSLContext

    def put_creates(self, namespace: str, clients: int, seconds: float) -> LoadResult:
        return put_load(self.port, self.tls, self.creates[namespace], clients, seconds)

    def cpu_seconds(self) -> float:
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
        port = urlsplit(control_plane.server).port
        assert port is not None  # noqa: S101 # the control plane chose one
        yield MeasuredCluster(
            creates={name: _create(control_plane, name) for name in names},
            api_server=psutil.Process(control_plane.api_server.process.pid),
            port=port,
            tls=ssl.create_default_context(cafile=str(control_plane.files.authority)),
        )


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
    foreign = _pod(namespace)
    foreign["spec"]["containers"][0]["image"] = "docker.io/somebody/train:1.2.3"
    try:
        admin.create(foreign, dryRun="All")
    except ApiError as error:
        return error.message
    return ""


def _create(control_plane: ControlPlane, namespace: str) -> Request:
    """Return a dry run, whose answer names the fixes where the pod was fixed."""
    token = control_plane.files.tokens[ADMIN]
    return Request(
        f"/api/v1/namespaces/{namespace}/pods?dryRun=All",
        json.dumps(_pod(namespace)).encode(),
        headers=(f"authorization: Bearer {token}", "content-type: application/json"),
        status=HTTPStatus.CREATED,
        mark=FIXES.encode(),
    )


def _pod(namespace: str) -> Document:
    """Return a training pod that meets the restricted pod security of a team's namespace.

    It names pools that the namespace may use, which would be one more fix otherwise.
    """
    pod: Document = json.loads(_POD.read_bytes())
    pod["metadata"]["namespace"] = namespace
    return pod
