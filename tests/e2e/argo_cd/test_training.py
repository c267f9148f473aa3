import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.argo_cd.applications import PATIENCE_SECONDS, refresh, states, uids
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.argo_cd.reports import with_writers
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest

pytestmark = pytest.mark.parametrize("cluster", ["training"], indirect=True)

BY_ARGO_CD = "8.0.0-rc.1"
RENDERED = "8.0.0-rc.2"
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


def test_charts_that_are_rendered_keep_every_object(
    cluster: SyncedCluster, evidence: Evidence
) -> None:
    admin = cluster.admin
    cluster.release(BY_ARGO_CD, bring_no_api_service)
    charts = [name for name, path in cluster.components(BY_ARGO_CD).items() if "dist/" not in path]
    cluster.settle(BY_ARGO_CD)
    before = uids(admin, charts)
    cluster.release(RENDERED, render_charts)
    settled = cluster.settle(RENDERED)
    assert {settled[name].path.partition("/")[0] for name in charts} == {"dist"}
    rendered = uids(admin, charts)
    refresh(admin, charts)
    assert {name: states(admin)[name] for name in charts} == {
        name: settled[name] for name in charts
    }
    cluster.release(BY_ARGO_CD, bring_no_api_service)
    cluster.settle(BY_ARGO_CD)
    assert (rendered, uids(admin, charts)) == (before, before)
    evidence.show(
        "A cluster switches to charts that are rendered, and back, with every object it has.",
        f"{len(before)} objects of {len(charts)} charts, CustomResourceDefinitions among them: the "
        "same UIDs in all three versions, and no drift in those that are rendered",
    )


def bring_no_api_service(fields: Document) -> None:
    """Leave out of metrics-server what cannot be served here, in either form."""
    path = "/spec/source/helm/valuesObject/apiService"
    operation = {"op": "add", "path": path, "value": {"create": False}}
    named = {"kind": "Application", "name": "training-metrics-server"}
    fields["extensions"] = {"patches": [{**named, "operations": [operation]}]}


def render_charts(fields: Document) -> None:
    bring_no_api_service(fields)
    fields["gitops"] = {"charts": "rendered"}


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
