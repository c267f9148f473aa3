"""What README.md has `gpuplane init` write becomes a cluster that Argo CD keeps."""

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from tests.e2e.argo_cd.applications import (
    PATIENCE_SECONDS,
    application,
    approve_removal,
    refresh,
    states,
    wait_until_settled,
    waits_for_deletion,
    waits_for_pruning_of,
)
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import namespace

FIRST, SECOND = "0.1.0-rc.1", "0.2.0"
VISION = "vision-batch"
POOL = [
    manifest(kind, "batch")
    for kind in ("karpenter.sh/v1 NodePool", "karpenter.k8s.aws/v1 EC2NodeClass")
]
ADDED = """\
pools:
  batch: {instanceType: g5.12xlarge, purpose: batch, nodes: {max: 2}}
teams:
  vision:
    owner: vision@example.com
    costCenter: "2000"
    members: {users: [ml-vision]}
    priorities: [batch]
    namespaces:
      vision-batch:
        purpose: batch
        quota: {gpus: {batch: 8}, cpu: 90, memory: 350Gi, storage: 1Ti}
"""


def propose(fields: Document) -> None:
    """Add a pool and a team in a version that is not live yet."""
    (added,) = from_yaml(ADDED)
    for part, named in added.items():
        fields[part] |= named
    fields.update(version=SECOND, live=FIRST)


def finds_no_folder(found: Document) -> bool:
    """Tell whether an Application says that its folder is gone.

    One that took it for an empty folder would prune, and never say so.
    """
    conditions = found.get("status", {}).get("conditions", [])
    messages = [each["message"] for each in conditions if each["type"] == "ComparisonError"]
    return any("app path does not exist" in message for message in messages)


def test_a_new_repository_is_synced_and_healthy(
    generated: SyncedCluster, evidence: Evidence
) -> None:
    roots = {"training-root": "dist/training", "training-live": f"dist/training/{FIRST}/argocd"}
    settled = wait_until_settled(generated.admin, {**roots, **generated.components(FIRST)})
    assert generated.repository.charts_missing("training", FIRST) == []
    assert set(settled) == set(states(generated.admin))
    evidence.show(
        "README.md leads from the wheel to a cluster that is synced: its commands, in an empty "
        "folder, and what they print that comes next, up to a commit whose root Application is "
        "applied.",
        f"{len(settled)} Applications Synced and Healthy",
    )


def test_its_next_version_is_promoted_and_rolled_back(
    generated: SyncedCluster, evidence: Evidence
) -> None:
    admin, repository = generated.admin, generated.repository
    repository.edit("training", propose)
    repository.synth()
    repository.publish("Propose a pool and a team")
    before = generated.settle(FIRST)
    generated.go_live(SECOND)
    promoted = generated.settle(SECOND)
    assert set(promoted) - set(before) == {"training-team-vision"}
    assert admin.get("v1", "ResourceQuota", "quota", VISION)
    generated.go_live(FIRST)
    team, pools = application("training-team-vision"), application("training-node-pools")
    # Confirmed before they ask, they would ask again.
    admin.wait_for(team, waits_for_deletion, PATIENCE_SECONDS)
    admin.wait_for(pools, waits_for_pruning_of(*POOL), PATIENCE_SECONDS)
    for confirmed in (team, pools):
        approve_removal(admin, confirmed["metadata"]["name"])
    for gone in (team, namespace(VISION), *POOL):
        admin.wait_until_gone(gone, PATIENCE_SECONDS)
    generated.settle(FIRST)
    evidence.show(
        "A pool and a team more are promoted in a new repository, and rolled back.",
        f"{FIRST} to {SECOND} and back: {len(before)}, {len(promoted)}, then {len(before)} "
        "Applications; pool and team went once their removal was confirmed",
    )


def test_a_cluster_that_is_given_up_keeps_what_runs(
    generated: SyncedCluster, evidence: Evidence
) -> None:
    admin, repository = generated.admin, generated.repository
    components = generated.components(FIRST)
    generated.go_live("none")
    admin.wait_until_gone(application("training-live"), PATIENCE_SECONDS)
    before = wait_until_settled(admin, components)
    repository.remove("training")
    repository.publish("Remove the cluster")
    refresh(admin, ["training-root"])
    admin.wait_for(application("training-root"), finds_no_folder, PATIENCE_SECONDS)
    assert sorted(states(admin)) == sorted(["training-root", *before])
    assert admin.get("v1", "ResourceQuota", "quota", "research-training")
    evidence.show(
        "With `live: none`, and then `gpuplane remove`, Argo CD lets go of a cluster, and what it "
        "installed stays.",
        f"{len(before)} Applications of components, and their objects, were there after the root "
        "Application said `app path does not exist`",
    )
