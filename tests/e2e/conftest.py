"""What the tests run against: one control plane for all, and the logs of those that fail."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.policies import Admission
from charts_py.load import load_platforms
from charts_py.objects.bundled_node import use_bundled_node
from charts_py.platform.platform import Platform
from tests.binaries.control_plane import (
    NEWEST,
    OLDEST,
    ControlPlaneBinaries,
    PinnedKubernetes,
    build_control_plane,
)
from tests.e2e.claims.cluster import RenderRelease, admitting, write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane, running_control_plane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.evidence.pages import PAGES
from tests.e2e.evidence.recorder import EvidenceRecorder
from tests.e2e.folders import CLUSTERS, DIST, E2E
from tests.e2e.processes.logs import sizes, tails
from tests.e2e.selection import MORE, USUAL, SharedControlPlanes, is_more, runs_on_oldest_too
from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.registration import ServeWebhook, running_webhook

_LOGS = pytest.StashKey[Path]()
_BEFORE = pytest.StashKey[Mapping[Path, int]]()


@pytest.fixture(scope="session")
def kubernetes(request: pytest.FixtureRequest) -> PinnedKubernetes:
    """What the control planes are of: the newest supported, and for some tests the oldest, too."""
    pinned: PinnedKubernetes = getattr(request, "param", NEWEST)
    return pinned


@pytest.fixture(scope="session")
def control_plane_binaries(kubernetes: PinnedKubernetes) -> ControlPlaneBinaries:
    """The programs of a control plane; the first run builds them, which takes minutes."""
    return build_control_plane(kubernetes)


@pytest.fixture(scope="session")
def component_logs(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """The folder of every component's log; pytest keeps those of its last three runs."""
    folder = tmp_path_factory.mktemp("logs")
    pytestconfig.stash[_LOGS] = folder
    return folder


@pytest.fixture(scope="session")
def control_plane(
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ControlPlane]:
    """One control plane for all tests, each of which leaves it as it was."""
    folder = tmp_path_factory.mktemp("control-plane")
    with running_control_plane(control_plane_binaries, folder, component_logs) as running:
        yield running


@pytest.fixture(scope="session")
def admin(control_plane: ControlPlane) -> ApiClient:
    """A client in the group system:masters."""
    return control_plane.admin


@pytest.fixture(scope="session")
def platforms() -> dict[str, Platform]:
    """The example clusters, by name."""
    return {each.name: each for each in load_platforms(find_cluster_files(CLUSTERS))}


@pytest.fixture(scope="session")
def live_releases(platforms: dict[str, Platform]) -> dict[str, Path]:
    """The folders of the example clusters' live versions, by the name of the cluster."""
    return {name: DIST / name / each.live for name, each in platforms.items()}


@pytest.fixture(scope="session")
def render_release(
    platforms: dict[str, Platform], tmp_path_factory: pytest.TempPathFactory
) -> RenderRelease:
    """Renders an example cluster with a way of its own to fix and judge pods."""

    def render(name: str, admission: Admission) -> Path:
        return write_release(admitting(platforms[name], admission), tmp_path_factory.mktemp(name))

    return render


@pytest.fixture(scope="session")
def serve_webhook(
    admin: ApiClient, component_logs: Path, tmp_path_factory: pytest.TempPathFactory
) -> ServeWebhook:
    """Puts the webhook of a release into the path for as long as a context lasts."""

    def serve(
        release: Path, timeout_seconds: int | None = None
    ) -> AbstractContextManager[PlatformWebhook]:
        folder = tmp_path_factory.mktemp("webhook")
        return running_webhook(admin, release, folder, component_logs, timeout_seconds)

    return serve


@pytest.fixture
def evidence(request: pytest.FixtureRequest) -> Evidence:
    """Takes down what the test shows."""
    return Evidence(request.node.user_properties)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the Node of cdk8s before anything imports it, and collect what the tests show."""
    use_bundled_node()
    for page in PAGES:
        config.pluginmanager.register(EvidenceRecorder(config.rootpath, E2E, page))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of admission and scheduling on the oldest supported Kubernetes, too."""
    file = metafunc.definition.path.relative_to(E2E).as_posix()
    if "kubernetes" in metafunc.fixturenames and runs_on_oldest_too(file):
        versions = [
            pytest.param(NEWEST, id=NEWEST.version),
            pytest.param(OLDEST, id=OLDEST.version, marks=getattr(pytest.mark, MORE)),
        ]
        metafunc.parametrize("kubernetes", versions, indirect=True, scope="session")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> SharedControlPlanes:
    """Keep the tests that share a control plane on one worker."""
    return SharedControlPlanes(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder; the hook is handed those of all."""
    for item in items:
        if item.path.is_relative_to(E2E) and not item.get_closest_marker(MORE):
            item.add_marker(MORE if is_more(item.path.relative_to(E2E).as_posix()) else USUAL)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember how far the logs have come."""
    item.stash[_BEFORE] = sizes(logs) if (logs := _logs(item)) else {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a failing test what the components logged meanwhile."""
    report = yield
    # What fails in a teardown quotes the log of its component; the others only say that they end.
    if report.failed and report.when != "teardown" and (logs := _logs(item)):
        report.sections.extend(tails(logs, item.stash.get(_BEFORE, {})))
    return report


def _logs(item: pytest.Item) -> Path | None:
    return item.config.stash.get(_LOGS, None)
