"""A cluster that Argo CD keeps as a repository says, from its first sync on."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.argo_cd.applications import (
    PATIENCE_SECONDS,
    ApplicationState,
    application,
    refresh,
    states,
    wait_until_settled,
)
from tests.e2e.argo_cd.objects import platform_objects
from tests.e2e.argo_cd.platform_repository import PlatformRepository
from tests.e2e.argo_cd.pod_metrics import pod_metrics_definition
from tests.e2e.argo_cd.reports import Reports, reporting
from tests.e2e.argo_cd.running import running_argo_cd
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane, running_control_plane
from tests.e2e.control_plane.namespaces import make_foreign_namespaces
from tests.e2e.releases import crds
from tests.e2e.scheduling.nodes import cpu_node, join
from upstream.fetch import Mirror

_BROUGHT_BY_CHARTS = ("NodeFeatureRule", "NodeReadinessRule")
_SYSTEM_NODES = ("system-0", "system-1")
"""On which operators and the webhook run."""
HELD = "waiting for healthy state of argoproj.io/Application/"
"""What Argo CD says begins so while it waits for a wave, before the name of an Application."""


@dataclass(frozen=True, slots=True)
class SyncedCluster:
    """A cluster whose root Application is there, and follows the repository."""

    name: str
    admin: ApiClient
    argo_cd: ApiClient
    """Of the cluster in which its Argo CD runs; it may be the same one."""
    audit_log: Path
    """Of the API server that has the Applications."""
    repository: PlatformRepository
    held: Mapping[str, ApplicationState]
    """The Applications that were there as long as nothing could run."""
    held_message: str
    """What Argo CD said that it waited for."""
    reports: Reports

    def components(self, version: str) -> dict[str, str]:
        """Return the folder by Application that a version has, as it is served."""
        served = self.repository.applications(f"dist/{self.name}/{version}/argocd")
        return {each["metadata"]["name"]: each["spec"]["source"]["path"] for each in served}

    def release(self, version: str, change: Callable[[Document], object]) -> None:
        """Change the cluster file, and publish the result as a version that is live at once."""

        def change_all(fields: Document) -> None:
            change(fields)
            fields.update(version=version, live=version)

        self._publish(change_all)

    def go_live(self, version: str) -> None:
        """Promote or roll back to a version that was rendered before."""
        self._publish(lambda fields: fields.update(live=version))

    def _publish(self, change: Callable[[Document], object]) -> None:
        self.repository.edit(self.name, change)
        self.repository.synth(self.name)
        self.repository.publish(f"Change {self.name}")
        # As a git server's webhook does; by itself Argo CD looks again within minutes.
        refresh(self.argo_cd, [f"{self.name}-root"])

    def settle(self, version: str) -> dict[str, ApplicationState]:
        """Wait until the components of a version are synced and healthy; return their states."""
        return wait_until_settled(self.argo_cd, self.components(version))


@contextmanager
def first_sync(
    name: str, admin: ApiClient, argo_cd: ControlPlane, repository: PlatformRepository
) -> Iterator[SyncedCluster]:
    """Wait until Argo CD waits for what cannot run; then nodes join, and what runs is reported."""
    message = wait_until_held(argo_cd.admin, name)
    found = states(argo_cd.admin)
    held = {each: state for each, state in found.items() if each.startswith(f"{name}-")}
    join(admin, *map(cpu_node, _SYSTEM_NODES))
    with reporting(admin, argo_cd.admin) as reports:
        yield SyncedCluster(
            name, admin, argo_cd.admin, argo_cd.audit_log, repository, held, message, reports
        )


@contextmanager
def synced_cluster(
    platform: Platform,
    repository: PlatformRepository,
    binaries: ControlPlaneBinaries,
    folder: Path,
    logs: Path,
) -> Iterator[SyncedCluster]:
    """Run a cluster with an Argo CD of its own, and apply its root Application as a person does.

    Yields once the live version is synced. Skips the test where there are no pinned files.
    """
    mirror = crds.pinned_files()
    with running_control_plane(binaries, folder, logs) as control_plane:
        admin = control_plane.admin
        prepare(admin, platform, repository.edited / "dist", mirror)
        with running_argo_cd(control_plane, mirror, folder / "argo-cd", logs):
            admin.create(repository.document(f"dist/{platform.name}/root-application.yaml"))
            with first_sync(platform.name, admin, control_plane, repository) as cluster:
                cluster.settle(platform.live)
                yield cluster


def prepare(admin: ApiClient, platform: Platform, dist: Path, mirror: Mirror) -> None:
    """Bring what a cluster has of others: the kinds of their operators, and their namespaces."""
    versions = [each for each in (dist / platform.name).iterdir() if each.is_dir()]
    # Of all versions, since it goes from one to another.
    objects = [each for version in versions for each in platform_objects(version)]
    kinds = [each for each in objects if each["kind"] not in _BROUGHT_BY_CHARTS]
    crds.install(admin, [*crds.definitions_of(kinds, mirror), pod_metrics_definition()])
    make_foreign_namespaces(admin, objects)


def wait_until_held(argo_cd: ApiClient, cluster: str) -> str:
    """Return what Argo CD says once it waits for the wave of NVIDIA's operator, which runs nowhere.

    Of the Applications of a wave it names the first, and how many more there are.
    """
    operator = f"{cluster}-gpu-operator"

    def is_held(live: Document) -> bool:
        found = states(argo_cd)
        return operator in found and _awaited_wave(live, found) == found[operator].wave

    live = argo_cd.wait_for(application(f"{cluster}-live"), is_held, PATIENCE_SECONDS)
    message: str = live["status"]["operationState"]["message"]
    return message


def _awaited_wave(live: Document, found: Mapping[str, ApplicationState]) -> int | None:
    """Return the wave of the Application that Argo CD waits for; None where it waits for none."""
    message: str = live.get("status", {}).get("operationState", {}).get("message", "")
    if not message.startswith(HELD):
        return None
    first = found.get(message.removeprefix(HELD).partition(" ")[0])
    return first.wave if first else None
