"""Whether workers can run the jobs that their manager takes."""

from collections.abc import Iterator, Sequence

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.training import Training
from charts_py.components.kueue_queues.topology_check import MAX_LEVELS
from charts_py.components.kueue_queues.workers import worker_levels
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform

_FIELD = "multiKueue"


def check_workers(manager: Draft, workers: Sequence[Platform]) -> Iterator[Problem]:
    """Yield a problem for each worker that would refuse jobs, or run them for somebody else."""
    stated = manager.cluster.multi_kueue
    for index, worker in enumerate(workers):
        path = (_FIELD, "workers", index)
        if worker.cluster.multi_kueue != stated:
            what = f"{worker.name} says otherwise, in {worker.mark((_FIELD,))}"
            yield Problem(path, what, "the same in each, as where it stands in fleet.yaml")
        else:
            yield from _teams(manager, worker)
            yield from _training(path, manager, worker)
    if (count := len(worker_levels(workers))) > MAX_LEVELS:
        what = f"their topologies have {count} levels together"
        yield Problem((_FIELD, "workers"), what, f"at most {MAX_LEVELS}")


def _teams(manager: Draft, worker: Platform) -> Iterator[Problem]:
    """Yield a problem for each namespace whose members could act in that of another team."""
    names = worker.run_for_manager
    teams = {
        name: team_name
        for team_name, team in manager.cluster.teams.items()
        for name in team.namespaces
    }
    for index, name in enumerate(names):
        own, other = teams[name], worker.namespace(name).team_name
        path: FieldPath = (_FIELD, "namespaces", index)
        if own != other:
            what = f"{name} is of team {own} in {manager.name}, and of {other} in {worker.name}"
            yield Problem(path, what, "one team in all clusters")
        else:
            yield from _priorities(path, own, manager, worker)


def _priorities(path: FieldPath, team: str, manager: Draft, worker: Platform) -> Iterator[Problem]:
    theirs = worker.cluster.teams[team].priorities
    missing = [each for each in manager.cluster.teams[team].priorities if each not in theirs]
    if missing:
        what = f"team {team} has no priority {', '.join(missing)} in {worker.name}"
        yield Problem(path, what, f"the priorities of the team in {manager.name}")


def _training(path: FieldPath, manager: Draft, worker: Platform) -> Iterator[Problem]:
    """Yield a problem for a kind that the manager watches in vain: it then reaches no worker."""
    own, theirs = _installed(manager.cluster.training), _installed(worker.cluster.training)
    if missing := [field for field in own if field not in theirs]:
        what = f"{worker.name} has no {', '.join(missing)}, as {manager.name} has"
        yield Problem(path, what, "all that runs jobs in the manager")


def _installed(training: Training) -> tuple[str, ...]:
    """Return the fields of what is installed; JobSet comes with Kubeflow Trainer, too."""
    found = training.model_dump(by_alias=True, exclude_none=True).keys()
    with_job_set = {"jobSet"} if training.has_job_set else set()
    return tuple(f"training.{name}" for name in sorted({*found, *with_job_set}))
