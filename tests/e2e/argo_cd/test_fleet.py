from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import semver

from charts_py.argocd.application import NAME as APPLICATIONS
from charts_py.cluster_file.gitops import IN_CLUSTER
from charts_py.platform.platform import Platform
from gpuplane.versions.record import record_files
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.argo_cd.applications import (
    PATIENCE_SECONDS,
    application,
    refresh,
    states,
    wait_until_settled,
)
from tests.e2e.argo_cd.cluster import HELD
from tests.e2e.argo_cd.fleet import FLEET, ROOT, SyncedFleet, synced_fleet
from tests.e2e.argo_cd.objects import APPLICATION, Identity, objects_of, rendered_objects
from tests.e2e.argo_cd.reports import with_writers
from tests.e2e.argo_cd.running import NAMESPACE
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import DIST
from tests.e2e.polling import once_seen

ROLLED_BACK, LEAVING = "inference", "mixed"
OF_KUBERNETES = {"default", "kube-system", "kube-public", "kube-node-lease"}


@pytest.fixture(scope="module")
def served(platforms: dict[str, Platform]) -> dict[str, Platform]:
    """The clusters that name their API server, by name."""
    return {
        name: each for name, each in platforms.items() if each.cluster.gitops.server != IN_CLUSTER
    }


@pytest.fixture(scope="module")
def fleet(
    served: dict[str, Platform],
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SyncedFleet]:
    folder = tmp_path_factory.mktemp(FLEET)
    with synced_fleet(served.values(), control_plane_binaries, folder, component_logs) as synced:
        yield synced


def test_the_application_set_generates_the_roots_of_the_clusters_that_it_lists(
    fleet: SyncedFleet, served: dict[str, Platform], evidence: Evidence
) -> None:
    assert fleet.listed() == sorted(served)
    assert fleet.roots() == [f"{name}-root" for name in sorted(served)]
    assert set(states(fleet.argo_cd)) == set(folders(fleet, served))
    evidence.show(
        "dist/fleet, applied once by hand, generates the root Applications of the clusters that it "
        "lists.",
        f"{', '.join(fleet.roots())}; registered in the Argo CD: {', '.join(fleet.clusters)}",
    )


def test_every_application_of_the_fleet_is_synced_and_healthy(
    fleet: SyncedFleet, served: dict[str, Platform], evidence: Evidence
) -> None:
    settled = wait_until_settled(fleet.argo_cd, folders(fleet, served))
    missing = [fleet.repository.charts_missing(name, each.live) for name, each in served.items()]
    assert missing == [[] for _ in served]
    counts = [
        f"{name} {sum(each.startswith(f'{name}-') for each in settled)}" for name in fleet.clusters
    ]
    evidence.show(
        "One Argo CD syncs every Application of a fleet into clusters elsewhere.",
        f"{len(settled)} Applications Synced and Healthy: {ROOT}, {', '.join(counts)}",
    )
    kinds = {kind for cluster in fleet.clusters.values() for kind in cluster.reports.kinds}
    evidence.show(
        "Health that needs what cannot run here is reported in its place (fleet).",
        with_writers(kinds),
    )


def test_each_cluster_waits_for_its_own_waves(fleet: SyncedFleet, evidence: Evidence) -> None:
    for name, cluster in fleet.clusters.items():
        operator = f"{name}-gpu-operator"
        assert cluster.held_message.startswith(f"{HELD}{name}-")
        waves = {each: state.wave for each, state in cluster.held.items()}
        assert max(waves.values()) == waves[operator]
    evidence.show(
        "Each cluster of a fleet waits for the health of its own waves.",
        "; ".join(
            f"{name}: {cluster.held_message}, {len(cluster.held)} Applications were there"
            for name, cluster in fleet.clusters.items()
        ),
    )


def test_the_objects_of_a_cluster_are_in_that_cluster_and_in_no_other(
    fleet: SyncedFleet, served: dict[str, Platform], evidence: Evidence
) -> None:
    wanted = {name: rendered_objects(DIST / name / each.live) for name, each in served.items()}
    kinds = {kind for each in wanted.values() for kind in each.values()}
    found = {
        name: set(objects_of(cluster.admin, kinds)) for name, cluster in fleet.clusters.items()
    }
    assert found == {name: set(each) for name, each in wanted.items()}
    assert objects_of(fleet.argo_cd, kinds) == {}
    assert {name: namespaces(cluster.admin) for name, cluster in fleet.clusters.items()} == {
        name: _namespaces_of(objects) for name, objects in wanted.items()
    }
    assert namespaces(fleet.argo_cd) == {NAMESPACE}
    counts = [f"{name} {len(each)}" for name, each in found.items()]
    evidence.show(
        "The objects of a cluster are in that cluster, and in no other.",
        f"{', '.join(counts)}; in the cluster of the Argo CD 0, whose one namespace is {NAMESPACE}",
    )


def test_a_hard_refresh_finds_no_drift_in_the_fleet(
    fleet: SyncedFleet, served: dict[str, Platform], evidence: Evidence
) -> None:
    before = wait_until_settled(fleet.argo_cd, folders(fleet, served))
    refresh(fleet.argo_cd, before)
    # What drifted would be synced again, which would begin later.
    assert wait_until_settled(fleet.argo_cd, folders(fleet, served)) == before
    evidence.show(
        "A hard refresh finds no drift in any Application of a fleet.",
        f"{len(before)} Applications compared again, 0 OutOfSync, 0 synced again",
    )


def test_a_roll_back_of_one_cluster_leaves_the_others_alone(
    fleet: SyncedFleet, served: dict[str, Platform], evidence: Evidence
) -> None:
    live = served[ROLLED_BACK].live
    previous = version_before(ROLLED_BACK, live)
    cluster = fleet.clusters[ROLLED_BACK]
    others = {
        name: folder
        for name, folder in folders(fleet, served).items()
        if not name.startswith(f"{ROLLED_BACK}-")
    }
    before = wait_until_settled(fleet.argo_cd, others)
    cluster.go_live(previous)
    try:
        rolled_back = cluster.settle(previous)
        old, new = (rendered_objects(DIST / ROLLED_BACK / each) for each in (previous, live))
        kinds = {*old.values(), *new.values()}
        # The Applications that it does not have go once their objects have gone.
        once_seen(
            lambda: set(objects_of(cluster.admin, kinds)),
            lambda found: found == set(old),
            f"{ROLLED_BACK} has the objects of {previous}",
            PATIENCE_SECONDS,
        )
        refresh(fleet.argo_cd, others)
        assert wait_until_settled(fleet.argo_cd, others) == before
    finally:
        cluster.go_live(live)
        after = wait_until_settled(fleet.argo_cd, folders(fleet, served))
    assert {name: after[name] for name in others} == before
    evidence.show(
        "`live` rolls back one cluster of a fleet, and the others stay as they were.",
        f"{ROLLED_BACK} from {live} to {previous} and back: {len(rolled_back)} Applications; "
        f"{len(others)} others: 0 synced again",
    )


def test_a_cluster_that_leaves_the_fleet_keeps_all_that_it_has(
    fleet: SyncedFleet, served: dict[str, Platform], evidence: Evidence
) -> None:
    admin = fleet.clusters[LEAVING].admin
    kinds = rendered_objects(DIST / LEAVING / served[LEAVING].live).values()
    settled = wait_until_settled(fleet.argo_cd, folders(fleet, served))
    live = f"{LEAVING}-live"
    left = {
        name: state.started
        for name, state in settled.items()
        if state.path.startswith(f"dist/{LEAVING}") and name != live
    }
    applications, objects = objects_of(fleet.argo_cd, [APPLICATION]), objects_of(admin, kinds)
    # Not brought back: the last test of this fleet.
    fleet.let_go(LEAVING)
    fleet.argo_cd.wait_until_gone(application(live), PATIENCE_SECONDS)
    refresh(fleet.argo_cd, left)
    components = {name: path for name, path in folders(fleet, served).items() if name in left}
    let_go = wait_until_settled(fleet.argo_cd, components)
    root = f"{LEAVING}-root"
    assert {name: let_go[name].started for name in left if name != root} == {
        name: started for name, started in left.items() if name != root
    }
    kept = {key: one for key, one in applications.items() if live not in key}
    assert objects_of(fleet.argo_cd, [APPLICATION]) == kept
    assert objects_of(admin, kinds) == objects
    evidence.show(
        "With `live: none`, Argo CD lets go of a cluster, which keeps all that it has.",
        f"{LEAVING}: {live} is gone; {len(left)} Applications are Synced and Healthy; "
        f"{len(objects)} objects are the same ones",
    )
    fleet.drop(LEAVING)
    refresh(fleet.argo_cd, left)
    found = states(fleet.argo_cd)
    assert {found[name].sync for name in left} == {"Unknown"}
    assert all("app path does not exist" in found[name].message for name in left)
    assert {name: found[name].started for name in left} == {
        name: let_go[name].started for name in left
    }
    assert objects_of(fleet.argo_cd, [APPLICATION]) == kept
    assert objects_of(admin, kinds) == objects
    wait_until_settled(fleet.argo_cd, {ROOT: f"dist/{FLEET}"})
    assert fleet.listed() == sorted(served.keys() - {LEAVING})
    evidence.show(
        "A cluster that is removed then, file and folder, keeps all that it has.",
        f"{LEAVING}: {len(left)} Applications say `app path does not exist`, 0 synced again; "
        f"{len(objects)} objects are the same ones; {FLEET} lists {', '.join(fleet.listed())}",
    )


def folders(fleet: SyncedFleet, served: dict[str, Platform]) -> dict[str, str]:
    """Return all Applications of the fleet, with what each of them syncs."""
    found = {ROOT: f"dist/{FLEET}"}
    for name, cluster in fleet.clusters.items():
        live = served[name].live
        found[f"{name}-root"] = f"dist/{name}"
        found[f"{name}-live"] = f"dist/{name}/{live}/{APPLICATIONS}"
        found |= cluster.components(live)
    return found


def _namespaces_of(objects: Iterable[Identity]) -> set[str]:
    named = {name if kind == "Namespace" else namespace for kind, namespace, name in objects}
    return named - OF_KUBERNETES - {""}


def namespaces(client: ApiClient) -> set[str]:
    return {each["metadata"]["name"] for each in client.find("v1", "Namespace")} - OF_KUBERNETES


def version_before(cluster: str, version: str) -> str:
    """Return the rendered version of a cluster that comes before another."""
    ordered = sorted(record_files(DIST, cluster), key=semver.Version.parse)
    return ordered[ordered.index(version) - 1]
