"""A cluster that gpuplane synced comes back as the file that it was synced from."""

from collections.abc import Callable, Mapping

import pytest

from charts_py.platform.platform import Platform
from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.request import check_file
from gpuplane.versions.rendering import render_platform
from tests.conftest import CLUSTERS
from tests.gpuplane.adoption.held_cluster import held_cluster

COMING_BACK = ("node-pools/", "gpu-sharing/", "node-readiness/", "priority-classes/", "gpu-roles/")
"""Components that are rendered alike, beside those of teams."""

KINDS_OF_TEAMS = ("Namespace", "ResourceQuota", "LimitRange", "RoleBinding")

_RIGHTS = frozenset(
    {
        "gpu-roles/ClusterRoleBinding.gpu-reader.yaml",
        *(
            f"gpu-roles/ClusterRole.gpu-{role}.yaml"
            for role in ("admin", "reader", "user", "viewer")
        ),
    }
)
"""Those on what `queues` and `training` bring, which are not read back."""

LOST: Mapping[str, frozenset[str]] = {
    "training": _RIGHTS,
    # A construct of the cluster makes the class, and a patch of it changes the quota.
    "onprem": frozenset(
        {
            "priority-classes/PriorityClass.burn-in.yaml",
            "team-simulation/ResourceQuota.simulation.quota.yaml",
        }
    ),
}
"""Files that differ, by cluster."""


def _coming_back(files: Mapping[str, bytes]) -> dict[str, str]:
    return {
        path: text.decode()
        for path, text in files.items()
        if path.startswith(COMING_BACK)
        or (path.startswith("team-") and path.partition("/")[2].startswith(KINDS_OF_TEAMS))
    }


@pytest.mark.parametrize("name", ["training", "inference", "mixed", "onprem"])
def test_pools_teams_quotas_and_priorities_are_rendered_alike(
    name: str, example: Callable[[str], Platform]
) -> None:
    platform = example(name)
    rendered = render_platform(platform, name)
    text = cluster_file(held_cluster(platform, rendered))
    checked = check_file(text, name, CLUSTERS / "fleet.yaml")
    assert checked.faults == ()
    assert checked.platform is not None
    before = _coming_back(rendered.files)
    after = _coming_back(render_platform(checked.platform, name).files)
    differing = {
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    }
    assert differing == LOST.get(name, frozenset())
