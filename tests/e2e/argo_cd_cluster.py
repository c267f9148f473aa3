"""A cluster that Argo CD keeps as a repository says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.document import Document
from charts_py.platform.platform import Platform
from tests.e2e import crds
from tests.e2e.api_client import ApiClient
from tests.e2e.argo_cd import running_argo_cd
from tests.e2e.argo_cd_applications import (
    PATIENCE_SECONDS,
    ApplicationState,
    application,
    refresh,
    states,
    wait_until_settled,
)
from tests.e2e.argo_cd_programs import build_argo_cd_programs
from tests.e2e.argo_cd_reports import Reports, metrics_kinds, plain_nodes, reporting
from tests.e2e.argo_cd_repository import PlatformRepository, new_platform_repository
from tests.e2e.component_binaries import ControlPlaneBinaries
from tests.e2e.control_plane import running_control_plane
from tests.e2e.gpu_nodes import join
from tests.e2e.namespaces import make_namespace
from tests.e2e.release_objects import read_release
from upstream.fetch import Mirror

_BROUGHT_BY_CHARTS = ("NodeFeatureRule",)
_MONITORING = "monitoring"
_SYSTEM_NODES = 2


@dataclass(frozen=True, slots=True)
class SyncedCluster:
    """A cluster whose root Application was applied by hand, and all of it synced."""

    name: str
    admin: ApiClient
    repository: PlatformRepository
    audit_log: Path
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
        refresh(self.admin, [f"{self.name}-root"])

    def settle(self, version: str) -> dict[str, ApplicationState]:
        """Wait until the components of a version are synced and healthy; return their states."""
        return wait_until_settled(self.admin, self.components(version))


@contextmanager
def synced_cluster(
    platform: Platform, binaries: ControlPlaneBinaries, folder: Path, logs: Path
) -> Iterator[SyncedCluster]:
    """Run a cluster and its Argo CD, and apply its root Application as a person does.

    First nothing can run there, until Argo CD waits for what does not come up; then nodes join.
    Skips the test where there are no pinned files.
    """
    mirror = crds.pinned_files()
    repository = new_platform_repository(folder / "repository", mirror.directory / "charts")
    for name in ("control-plane", "argo-cd"):
        (folder / name).mkdir()
    with running_control_plane(binaries, folder / "control-plane", logs) as control_plane:
        admin = control_plane.admin
        _prepare(admin, repository.edited / "dist" / platform.name / platform.live, mirror)
        programs = build_argo_cd_programs()
        with running_argo_cd(programs, control_plane, mirror, folder / "argo-cd", logs):
            admin.create(repository.document(f"dist/{platform.name}/root-application.yaml"))
            message = _wait_until_held(admin, platform.name)
            held = states(admin)
            join(admin, *plain_nodes(_SYSTEM_NODES))
            with reporting(admin) as reports:
                synced = SyncedCluster(
                    name=platform.name,
                    admin=admin,
                    repository=repository,
                    audit_log=control_plane.audit_log,
                    held=held,
                    held_message=message,
                    reports=reports,
                )
                synced.settle(platform.live)
                yield synced


def _prepare(admin: ApiClient, release: Path, mirror: Mirror) -> None:
    """Bring what has to be there before the first sync: kinds of others, and a namespace."""
    components = [each.name for each in release.iterdir() if each.is_dir()]
    objects = [
        each
        for each in read_release(release, *components)
        if each["kind"] not in _BROUGHT_BY_CHARTS
    ]
    crds.install(admin, [*crds.definitions_of(objects, mirror), metrics_kinds()])
    make_namespace(admin, _MONITORING)


def _wait_until_held(admin: ApiClient, cluster: str) -> str:
    live = admin.wait_for(application(f"{cluster}-live"), _is_held, PATIENCE_SECONDS)
    message: str = live["status"]["operationState"]["message"]
    return message


def _is_held(document: Document) -> bool:
    message: str = document.get("status", {}).get("operationState", {}).get("message", "")
    return message.startswith("waiting for healthy state") and "operator" in message
