"""What `dist/` holds for the oldest supported Kubernetes is taken by its API server."""

from pathlib import Path

from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries, PinnedKubernetes
from tests.e2e.control_plane.control_plane import running_control_plane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.synced import apply_all, prepare, synced_objects

CLUSTER = "mixed"


def test_a_cluster_of_the_oldest_kubernetes_is_taken_by_it(
    control_plane_binaries: ControlPlaneBinaries,
    kubernetes: PinnedKubernetes,
    component_logs: Path,
    platforms: dict[str, Platform],
    tmp_path: Path,
    evidence: Evidence,
) -> None:
    written_for = platforms[CLUSTER].cluster.kubernetes
    assert kubernetes.version.startswith(f"{written_for}.")
    objects = synced_objects(CLUSTER, platforms)
    with running_control_plane(control_plane_binaries, tmp_path, component_logs) as running:
        prepare(running.admin, objects)
        answers = apply_all(running.admin, objects)
    told = [warning for answer in answers for warning in answer.warnings]
    assert [warning for warning in told if "deprecated" in warning] == []
    evidence.show(
        f"All that Argo CD syncs of dist/{CLUSTER}, written for Kubernetes {written_for}, applies "
        "server-side to it, every field known.",
        f"{len(objects)} objects: 0 rejected, 0 unknown fields, 0 deprecations.",
    )
