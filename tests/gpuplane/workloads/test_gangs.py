"""Which pods start all at once, by the engine of their queues."""

from typing import Any

import pytest

from gpuplane.workloads.workload import Workload, new_workload
from policies.manifest_pod import manifest_pods
from tests.gpuplane.workloads.conftest import ask, for_launchers, platform_named

_VOLCANO = {"scheduling.volcano.sh/group-min-member": "2"}
_KAI = {"kai.scheduler/batch-min-member": "2"}
_ONE_BY_ONE = "its pods wait one by one, so that it may start in part: "
_NOT_OF_VOLCANO = (
    f"{_ONE_BY_ONE}Volcano starts pods of a Job together that says how many; take a job or a jobset"
)
_NOT_OF_KUEUE = f"{_ONE_BY_ONE}Kueue knows MPIJobs of version 2 alone; run MPI as a trainjob"


def _workload(engine: str, kind: str, nodes: int = 2) -> Workload:
    teams = {"kueue": "research", "volcano": "vision", "kai": "vision"}
    cluster = "sample-queues" if engine == "kueue" else f"sample-{engine}"
    asked = ask(kind=kind, team=teams[engine], pool="h100", nodes=nodes)
    return new_workload(asked, for_launchers(platform_named(cluster)))


def _annotations(workload: Workload) -> list[dict[str, Any] | None]:
    """Return those of the object that is asked for, and of the Jobs that it makes."""
    document = workload.documents[-1]
    spec = document["spec"]
    for patch in spec.get("runtimePatches", []):
        spec = patch["trainingRuntimeSpec"]["template"]["spec"]
    jobs = spec.get("replicatedJobs", [])
    metadata = [document["metadata"], *(job["template"].get("metadata", {}) for job in jobs)]
    return [each.get("annotations") for each in metadata]


def _notes(workload: Workload) -> list[str]:
    return [note for note in workload.notes if note.startswith(_ONE_BY_ONE)]


@pytest.mark.parametrize(
    ("engine", "kind", "annotations"),
    [
        ("kueue", "job", [None]),
        ("kueue", "jobset", [None, None]),
        ("volcano", "job", [_VOLCANO]),
        ("volcano", "jobset", [None, _VOLCANO]),
        ("volcano", "spark", [None, _VOLCANO, None]),
        ("volcano", "trainjob", [None, _VOLCANO]),
        ("kai", "job", [_KAI]),
        ("kai", "jobset", [None, None]),
        ("kai", "pytorchjob", [None]),
        ("kai", "trainjob", [None, None]),
    ],
)
def test_where_an_engine_makes_no_gang_by_itself_the_job_says_how_many_start_together(
    engine: str, kind: str, annotations: list[dict[str, Any] | None]
) -> None:
    workload = _workload(engine, kind)
    assert (_annotations(workload), _notes(workload)) == (annotations, [])


def test_a_launcher_starts_after_the_workers_with_which_it_is_no_gang() -> None:
    asked = ask(kind="trainjob", team="vision", pool="h100", nodes=2, framework="deepspeed")
    workload = new_workload(asked, platform_named("sample-volcano"))
    note = "its launcher starts after its workers, which hold GPUs while it waits for its own"
    assert (_annotations(workload), note in workload.notes) == ([None, None, None], True)


@pytest.mark.parametrize("engine", ["volcano", "kai"])
def test_a_job_of_one_pod_says_nothing_of_others(engine: str) -> None:
    assert _annotations(_workload(engine, "job", nodes=1)) == [None]


@pytest.mark.parametrize(
    ("engine", "kind", "nodes", "notes"),
    [
        ("volcano", "pytorchjob", 2, [_NOT_OF_VOLCANO]),
        ("volcano", "trainjob", 2, []),
        ("volcano", "pytorchjob", 1, []),
        ("kueue", "pytorchjob", 2, []),
        ("kueue", "mpijob", 1, [_NOT_OF_KUEUE]),
        ("kueue", "mpijob", 2, [_NOT_OF_KUEUE]),
    ],
)
def test_pods_that_wait_one_by_one_are_said(
    engine: str, kind: str, nodes: int, notes: list[str]
) -> None:
    assert _notes(_workload(engine, kind, nodes)) == notes


def test_an_mpijob_that_kueue_does_not_know_has_no_place_in_its_queue() -> None:
    labels = [
        _workload("kueue", kind).documents[-1]["metadata"]["labels"].keys()
        for kind in ("mpijob", "pytorchjob")
    ]
    assert ["kueue.x-k8s.io/priority-class" in each for each in labels] == [False, True]


@pytest.mark.parametrize(
    ("engine", "kind", "schedulers"),
    [
        ("kai", "mpijob", ["kai-scheduler", "kai-scheduler"]),
        ("kai", "spark", ["kai-scheduler", "kai-scheduler"]),
        ("kai", "raycluster", ["kai-scheduler", "kai-scheduler"]),
        ("kai", "rayjob", ["kai-scheduler", "kai-scheduler", None]),
        ("volcano", "mpijob", [None, "volcano"]),
        ("kueue", "mpijob", [None, None]),
    ],
)
def test_a_leader_without_gpus_has_the_scheduler_whose_gang_waits_for_it(
    engine: str, kind: str, schedulers: list[str | None]
) -> None:
    pods = manifest_pods(_workload(engine, kind).documents[-1])
    assert [pod.document["spec"].get("schedulerName") for pod in pods] == schedulers
