"""What changes of MultiKueue do to jobs that run in worker clusters."""

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.difference import PlacedObject
from tests.gpuplane.plan.single_change import document, only, placed

UNFOLLOWED = (
    "run on there, but the manager no longer follows them: they do not finish here, and nobody "
    "deletes them there."
)
ANEW = (
    "are evicted here and start anew in another one; nobody deletes their copies there, which run "
    "on."
)


def _worker(name: str) -> dict[PlacedObject, Document]:
    return placed(document("kueue.x-k8s.io/v1beta2 MultiKueueCluster", {"spec": {}}, name))


def _config(*clusters: str) -> dict[PlacedObject, Document]:
    fields = {"spec.clusters": list(clusters)}
    return placed(document("kueue.x-k8s.io/v1beta2 MultiKueueConfig", fields, "dispatch"))


def test_nobody_follows_jobs_in_worker_clusters_once_their_configuration_is_gone() -> None:
    fields = {"spec.controllerName": "kueue.x-k8s.io/multikueue"}
    check = placed(document("kueue.x-k8s.io/v1beta2 AdmissionCheck", fields, "dispatch"))
    found = planned_objects(check | _config("a") | _worker("a"), {})
    assert {each.placed.key.kind: each.effects[0].reason for each in found} == {
        "AdmissionCheck": f"Jobs that it sent to worker clusters {UNFOLLOWED}",
        "MultiKueueConfig": (
            "Queues that send jobs by it admit nothing. Those that run in worker clusters "
            f"{UNFOLLOWED}"
        ),
        "MultiKueueCluster": f"Jobs that run in this worker cluster {UNFOLLOWED}",
    }
    assert {each.verdict for each in found} == {Verdict.DISRUPTIVE}


def test_jobs_of_a_worker_cluster_that_is_left_out_start_anew_elsewhere() -> None:
    found = planned_objects(
        _config("a", "b") | _worker("a") | _worker("b"), _config("b") | _worker("b")
    )
    assert {each.placed.key.kind: each.effects[0].reason for each in found} == {
        "MultiKueueConfig": (
            f'["a", "b"] becomes ["b"]: jobs that run in a worker cluster that is left out {ANEW}'
        ),
        "MultiKueueCluster": f"Jobs that run in this worker cluster {ANEW}",
    }


def test_a_further_worker_cluster_takes_no_job_from_another_one() -> None:
    config = only(planned_objects(_config("a"), _config("a", "b")), "MultiKueueConfig")
    assert config.verdict is Verdict.SAFE
