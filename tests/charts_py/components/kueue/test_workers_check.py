"""What is told of workers that do not fit their manager."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

STATED = """\
multiKueue:
  manager: multikueue-manager
  workers: [multikueue-worker]
  namespaces: [research-training]
"""


def test_a_worker_says_the_same_as_its_manager(faults_of_both: Callable[..., str]) -> None:
    assert faults_of_both(worker=((STATED, ""),)) == (
        "multikueue-manager.yaml:9: multiKueue.workers[0]: multikueue-worker says otherwise, in "
        "multikueue-worker.yaml:1; allowed: the same in each, as where it stands in fleet.yaml"
    )


def test_a_worker_that_names_itself_manager_does_not_read_for_ever(
    faults_of_both: Callable[..., str],
) -> None:
    turned = STATED.replace("manager: multikueue-manager", "manager: multikueue-worker").replace(
        "[multikueue-worker]", "[multikueue-manager]"
    )
    otherwise = "allowed: the same in each, as where it stands in fleet.yaml"
    assert faults_of_both(
        worker=((STATED, turned), ("{h200: 16}\n          cpu", "{h200: 0}\n          cpu"))
    ) == (
        "multikueue-manager.yaml:9: multiKueue.workers[0]: multikueue-worker says otherwise, in "
        f"multikueue-worker.yaml:7; {otherwise}\n"
        "multikueue-worker.yaml:9: multiKueue.workers[0]: multikueue-manager says otherwise, in "
        f"multikueue-manager.yaml:7; {otherwise}"
    )


def test_a_namespace_is_of_one_team(faults_of_both: Callable[..., str]) -> None:
    assert faults_of_both(worker=(("  research:\n", "  science:\n"),)) == (
        "multikueue-manager.yaml:10: multiKueue.namespaces[0]: research-training is of team "
        "research in multikueue-manager, and of science in multikueue-worker; allowed: one team "
        "in all clusters"
    )


def test_a_team_has_its_priorities_in_workers(faults_of_both: Callable[..., str]) -> None:
    assert faults_of_both(worker=(("[training, notebooks]", "[training]"),)) == (
        "multikueue-manager.yaml:10: multiKueue.namespaces[0]: team research has no priority "
        "notebooks in multikueue-worker; allowed: the priorities of the team in multikueue-manager"
    )


def test_workers_have_all_kinds_of_jobs_of_the_manager(
    faults_of_both: Callable[..., str],
) -> None:
    assert faults_of_both(
        manager=(("training: {jobSet: {}}", "training: {trainer: {}, trainingOperator: {}}"),),
        worker=(("training: {jobSet: {}, ray: {}}", "training: {ray: {}}"),),
    ) == (
        "multikueue-manager.yaml:9: multiKueue.workers[0]: multikueue-worker has no "
        "training.jobSet, training.trainer, training.trainingOperator, as multikueue-manager has; "
        "allowed: all that runs jobs in the manager"
    )


def test_the_topologies_of_workers_fit_into_one(faults_of_both: Callable[..., str]) -> None:
    one, other = (
        f"topology: {{levels: [{', '.join(f'example.com/{name}-{i}' for i in range(9))}]}}"
        for name in ("rack", "row")
    )
    pool = "{gpu: L40S, gpus: 8, cpu: 128, memory: 1Ti, purpose: training, nodes: {max: 1}"
    assert faults_of_both(
        worker=(
            (
                "    topology: {levels: [example.com/rack]}\n",
                f"    {one}\n  h200-old: {pool}, {other}}}\n",
            ),
            ("{h200: 16}\n          cpu", "{h200: 16, h200-old: 8}\n          cpu"),
        )
    ) == (
        "multikueue-manager.yaml:9: multiKueue.workers: their topologies have 19 levels together; "
        "allowed: at most 16"
    )
