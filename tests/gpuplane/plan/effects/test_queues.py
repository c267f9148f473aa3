"""What changes of queues do among the other objects of a cluster."""

from typing import Any

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.difference import PlacedObject
from tests.gpuplane.plan.single_change import document, only, placed

QUEUE = "kueue.x-k8s.io/v1beta2 ClusterQueue"
FLAVOR = "kueue.x-k8s.io/v1beta2 ResourceFlavor"
OFF = (
    "Queues are switched off: jobs that wait stay suspended. Admitted ones run on: a finalizer "
    "holds what they have a part of until they end, and the prune waits as long."
)
WITH_QUEUES = "Queues are switched off, and it goes with them; admitted jobs run on."


def _queue(name: str, *groups: dict[str, Any]) -> dict[PlacedObject, Document]:
    return placed(document(QUEUE, {"spec.resourceGroups": list(groups)}, name))


def test_queues_that_are_switched_off_have_one_reason() -> None:
    local = document("kueue.x-k8s.io/v1beta2 LocalQueue", {"spec.clusterQueue": "own"}, "default")
    flavor = placed(document(FLAVOR, {"spec": {}}, "h100"))
    found = planned_objects(_queue("own", _gpus("8")) | flavor | placed(local), {})
    assert {each.placed.key.kind: each.effects[0].reason for each in found} == {
        "ClusterQueue": OFF,
        "ResourceFlavor": OFF,
        "LocalQueue": WITH_QUEUES,
    }


@pytest.mark.parametrize(
    ("groups", "verdict", "reason"),
    [
        (
            (),
            Verdict.SAFE,
            (
                "No queue refers to it any longer. A finalizer holds it until no admitted job has "
                "a part of it."
            ),
        ),
        (
            ("8",),
            Verdict.DISRUPTIVE,
            (
                "A queue that refers to it is inactive from then on, and admits nothing; while one "
                "does, a finalizer holds h100, and the prune hangs."
            ),
        ),
    ],
)
def test_a_flavor_that_goes_holds_up_only_queues_that_still_refer_to_it(
    groups: tuple[str, ...], verdict: Verdict, reason: str
) -> None:
    queue = _queue("own", *map(_gpus, groups))
    flavor = placed(document(FLAVOR, {"spec": {}}, "h100"))
    planned = only(planned_objects(queue | flavor, queue), "ResourceFlavor")
    assert [(each.verdict, each.reason) for each in planned.effects] == [(verdict, reason)]


def test_a_queue_that_goes_beside_others_has_a_reason_of_its_own() -> None:
    other = _queue("other")
    planned = only(planned_objects(_queue("own") | other, other), "ClusterQueue")
    assert planned.effects[0].reason == (
        "It goes once its admitted jobs have ended; pending ones are inadmissible, and its "
        "LocalQueues have to be made again."
    )


@pytest.mark.parametrize(
    ("reclaims", "verdict"), [("Any", Verdict.DISRUPTIVE), ("Never", Verdict.SAFE)]
)
def test_less_quota_ends_jobs_where_another_queue_reclaims_it(
    reclaims: str, verdict: Verdict
) -> None:
    other = document(
        "kueue.x-k8s.io/v1beta2 ClusterQueue",
        {"spec.cohortName": "all", "spec.preemption.reclaimWithinCohort": reclaims},
        "other",
    )
    before, after = (
        placed(
            other,
            document(
                "kueue.x-k8s.io/v1beta2 ClusterQueue",
                {"spec.cohortName": "all", "spec.resourceGroups": [_gpus(quota)]},
                "own",
            ),
        )
        for quota in ("96", "64")
    )
    (planned,) = planned_objects(before, after)
    assert planned.verdict is verdict


def _gpus(quota: str) -> dict[str, Any]:
    resource = {"name": "nvidia.com/gpu", "nominalQuota": quota}
    return {
        "coveredResources": ["nvidia.com/gpu"],
        "flavors": [{"name": "h100", "resources": [resource]}],
    }


def test_a_check_that_no_queue_has_any_longer_may_go() -> None:
    check = placed(document("kueue.x-k8s.io/v1beta2 AdmissionCheck", {"spec": {}}, "dispatch"))
    queue = document(QUEUE, {"spec.admissionChecks": ["dispatch"]}, "own")
    with_it, without = placed(queue), placed(document(QUEUE, {"spec": {}}, "own"))
    named = only(planned_objects(with_it | check, with_it), "AdmissionCheck")
    unnamed = only(planned_objects(with_it | check, without), "AdmissionCheck")
    assert (named.verdict, unnamed.verdict) == (Verdict.DISRUPTIVE, Verdict.SAFE)
    assert unnamed.effects[0].reason == "Nothing that stays refers to it."


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
