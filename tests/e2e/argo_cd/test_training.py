import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.argo_cd.applications import PATIENCE_SECONDS, refresh, states
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.argo_cd.reports import with_writers
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest

pytestmark = pytest.mark.parametrize("cluster", ["training"], indirect=True)

WITHOUT_SHARING = "9.0.0-rc.1"
SPOT_POOL = manifest("karpenter.sh/v1 NodePool", "h100-spot")


def test_every_component_is_synced_and_healthy_without_drift(
    cluster: SyncedCluster, platform: Platform, evidence: Evidence
) -> None:
    settled = cluster.settle(platform.live)
    assert cluster.repository.charts_missing("training", platform.live) == []
    refresh(cluster.admin, settled)
    assert {name: states(cluster.admin)[name] for name in settled} == settled
    evidence.show(
        "Argo CD syncs every component of the cluster training, and a hard refresh finds no drift.",
        f"{len(settled)} Applications Synced and Healthy, 0 OutOfSync",
    )
    evidence.show(
        "Health that needs what cannot run here is reported in its place (training).",
        with_writers(cluster.reports.kinds),
    )


def test_live_promotes_and_rolls_back(
    cluster: SyncedCluster, platform: Platform, evidence: Evidence
) -> None:
    admin, version = cluster.admin, platform.cluster.version
    assert version != platform.live
    before = spot_nodes(admin)
    cluster.go_live(version)
    cluster.settle(version)
    promoted = spot_nodes(admin)
    cluster.go_live(platform.live)
    cluster.settle(platform.live)
    assert (before, promoted, spot_nodes(admin)) == ("8", "12", "8")
    evidence.show(
        "The field `live` promotes a version and rolls it back.",
        f"{platform.live} to {version} and back: at most {before}, {promoted}, then {before} nodes "
        "of the pool h100-spot",
    )


def test_a_kind_that_a_version_drops_is_pruned(cluster: SyncedCluster, evidence: Evidence) -> None:
    assert overlays(cluster.admin) == ["a100-mixed", "a10g-notebooks"]
    # Not rolled back: the last test of this cluster.
    cluster.release(WITHOUT_SHARING, drop_sharing)
    cluster.settle(WITHOUT_SHARING)
    assert overlays(cluster.admin) == []
    evidence.show(
        "A kind of object that a version has no more is pruned.",
        "2 NodeOverlays gone with the sharing of the pools a100-mixed and a10g-notebooks",
    )


def drop_sharing(fields: Document) -> None:
    """Leave whole GPUs, of which there are fewer than there were shares."""
    for name in ("a100-mixed", "a10g-notebooks"):
        del fields["pools"][name]["sharing"]
    namespaces = [each for team in fields["teams"].values() for each in team["namespaces"].values()]
    for namespace in namespaces:
        gpus = namespace["quota"]["gpus"]
        gpus.update({name: min(count, 16) for name, count in gpus.items()})


def overlays(admin: ApiClient) -> list[str]:
    found = admin.find("karpenter.sh/v1alpha1", "NodeOverlay")
    return sorted(each["metadata"]["name"] for each in found)


def spot_nodes(admin: ApiClient) -> str:
    limit: str = admin.wait_for(SPOT_POOL, seconds=PATIENCE_SECONDS)["spec"]["limits"]["nodes"]
    return limit
