"""Clusters that one Argo CD keeps, which runs in a cluster of its own."""

import base64
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from charts_py.argocd.application import API_VERSION
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.argo_cd.applications import PATIENCE_SECONDS, refresh
from tests.e2e.argo_cd.cluster import SyncedCluster, first_sync, prepare
from tests.e2e.argo_cd.platform_repository import PlatformRepository, new_platform_repository
from tests.e2e.argo_cd.running import NAMESPACE, running_argo_cd
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane, running_control_plane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.folders import DIST
from tests.e2e.manifest import manifest
from tests.e2e.releases import crds

FLEET = "fleet"
ROOT = f"{FLEET}-root"
APPLICATION_SET = manifest(f"{API_VERSION} ApplicationSet", FLEET, NAMESPACE)
_REFRESH = "argocd.argoproj.io/application-set-refresh"


@dataclass(frozen=True, slots=True)
class SyncedFleet:
    """Clusters whose fleet was applied by hand, where their Argo CD runs."""

    argo_cd: ApiClient
    """Of the cluster in which that Argo CD runs."""
    repository: PlatformRepository
    clusters: Mapping[str, SyncedCluster]

    def listed(self) -> list[str]:
        """Return the clusters that the ApplicationSet lists."""
        return _listed(self.argo_cd.wait_for(APPLICATION_SET))

    def roots(self) -> list[str]:
        """Return the Applications that the ApplicationSet generated."""
        owner = {"kind": APPLICATION_SET["kind"], "name": FLEET}
        return sorted(
            each["metadata"]["name"]
            for each in self.argo_cd.find(API_VERSION, "Application", NAMESPACE)
            if any(owner.items() <= o.items() for o in each["metadata"].get("ownerReferences", []))
        )

    def let_go(self, cluster: str) -> None:
        """Have nothing of a cluster live, publish that, and wait until it is heard of."""
        self.repository.edit(cluster, lambda fields: fields.update(live=NOT_LIVE))
        self.repository.synth()
        self.repository.publish(f"Let go of {cluster}")
        refresh(self.argo_cd, [ROOT, f"{cluster}-root"])
        wait_for = partial(self.argo_cd.wait_for, APPLICATION_SET, seconds=PATIENCE_SECONDS)
        wait_for(lambda found: cluster not in _listed(found))
        self.argo_cd.patch(APPLICATION_SET, {"metadata": {"annotations": {_REFRESH: "true"}}})
        wait_for(lambda found: _REFRESH not in found["metadata"].get("annotations", {}))

    def drop(self, cluster: str) -> None:
        """Remove a cluster of which nothing is live, and publish that."""
        self.repository.remove(cluster)
        self.repository.publish(f"Remove {cluster}")


@contextmanager
def synced_fleet(
    platforms: Collection[Platform], binaries: ControlPlaneBinaries, folder: Path, logs: Path
) -> Iterator[SyncedFleet]:
    """Run clusters and an Argo CD elsewhere, which is told of them, and apply the fleet's root.

    Skips the test where there are no pinned files.
    """
    mirror = crds.pinned_files()
    with ExitStack() as stack:

        def control_plane(name: str) -> ControlPlane:
            (folder / name).mkdir()
            return stack.enter_context(running_control_plane(binaries, folder / name, logs))

        hub = control_plane("hub")
        running = {each.name: control_plane(each.name) for each in platforms}
        for each in platforms:
            prepare(running[each.name].admin, each, DIST, mirror)
        servers = {each.cluster.gitops.server: running[each.name].server for each in platforms}
        repository = new_platform_repository(
            folder / "repository", mirror.directory / "charts", servers
        )
        stack.enter_context(running_argo_cd(hub, mirror, folder / "argo-cd", logs))
        for name, target in running.items():
            hub.admin.create(_registration(name, target))
        hub.admin.create(repository.document(f"dist/{FLEET}/Application.{ROOT}.yaml"))
        clusters = {
            name: stack.enter_context(first_sync(name, target.admin, hub, repository))
            for name, target in running.items()
        }
        for each in platforms:
            clusters[each.name].settle(each.live)
        yield SyncedFleet(hub.admin, repository, clusters)


def _registration(name: str, target: ControlPlane) -> Document:
    """Return what tells Argo CD of a cluster, in which it may do everything.

    https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#clusters
    """
    authority = base64.b64encode(target.files.authority.read_bytes()).decode()
    access = {"bearerToken": target.files.tokens[ADMIN], "tlsClientConfig": {"caData": authority}}
    labels = {"labels": {"argocd.argoproj.io/secret-type": "cluster"}}
    data = {"name": name, "server": target.server, "config": json.dumps(access)}
    return manifest("v1 Secret", f"cluster-{name}", NAMESPACE, labels, stringData=data)


def _listed(application_set: Document) -> list[str]:
    (generator,) = application_set["spec"]["generators"]
    return [each["cluster"] for each in generator["list"]["elements"]]
