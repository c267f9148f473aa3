"""A cluster that has Argo CD render its charts has `gpuplane synth` do so, and back."""

import pytest

from charts_py.objects.document import Document
from tests.e2e.argo_cd.applications import refresh, states, uids
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.evidence.evidence import Evidence

pytestmark = pytest.mark.parametrize("cluster", ["training"], indirect=True)

BY_ARGO_CD = "8.0.0-rc.1"
RENDERED = "8.0.0-rc.2"


def test_charts_that_are_rendered_keep_every_object(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin = cluster.admin
    cluster.settle(live)
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
