from collections.abc import Iterator

import pytest

from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient, why_not
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.serving.cluster import NAMESPACE, ServingCluster, load_serving

COMPONENTS = (
    "agentgateway-system-namespace",
    "priority-classes",
    "gpu-roles",
    "inference-pools",
    "team-research",
    "gateway",
)


@pytest.fixture(scope="package")
def serving(admin: ApiClient) -> Iterator[ServingCluster]:
    """The cluster that serves, with its Gateway, its policy on routes, and a team."""
    cluster = ServingCluster(load_serving(), admin)
    with applied(admin, rendered(cluster.platform, *COMPONENTS)):
        probe = manifest("v1 ConfigMap", "probe", NAMESPACE)
        once_seen(
            lambda: why_not(cluster.member.create, probe, dryRun="All"),
            lambda why: not why,
            "a member of the team has its rights",
        )
        yield cluster
