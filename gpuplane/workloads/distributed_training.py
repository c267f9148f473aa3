"""From a DistributedTraining to the TrainJob and the volumes that it stands for on a cluster."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, SpecError, mark_at
from charts_py.cluster_file.other_names import unknown_name
from charts_py.cluster_file.source import read_source
from charts_py.cluster_file.training import DistributedTraining
from charts_py.cluster_file.translation import validated
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import Asked, AskedError
from gpuplane.workloads.workload import Workload, new_workload
from policies.document import members, shown, text

KIND = "DistributedTraining"


@dataclass(frozen=True, slots=True)
class StatedTraining:
    """What a file states, and on which line."""

    training: DistributedTraining
    marks: Mapping[FieldPath, Mark]

    def fault(self, problem: Problem) -> Fault:
        return Fault(mark_at(problem.path, self.marks), problem)


_NAMESPACE = ("metadata", "namespace")
_FIELDS: dict[str, FieldPath] = {
    "NAME": ("metadata", "name"),
    "--namespace": _NAMESPACE,
    "--gpu": ("spec", "gpuModel"),
    "--nodes": ("spec", "workers"),
    "--gpus": ("spec", "gpusPerWorker"),
    "--hours": ("spec", "duration"),
    "PROGRAM": ("spec", "program"),
}
"""Fields whose options have other names; the rest are fields of `spec`."""


def expand(stated: StatedTraining, platform: Platform) -> Workload:
    """Return the TrainJob and its volumes.

    Raises SpecError with what is wrong with it on this cluster, RenderError with what admission
    denies of it.
    """
    try:
        return new_workload(_asked(stated, platform), platform)
    except AskedError as error:
        raise SpecError([stated.fault(_of_field(each)) for each in error.problems]) from error


def _asked(stated: StatedTraining, platform: Platform) -> Asked:
    training = stated.training
    spec = training.spec
    return Asked(
        kind="trainjob",
        name=training.metadata.name,
        team=_team(stated, platform),
        namespace=training.metadata.namespace,
        framework=spec.framework,
        model=spec.model,
        pool=spec.pool,
        gpu=spec.gpu_model,
        gpus=spec.gpus_per_worker,
        nodes=spec.workers,
        image=spec.image,
        program=tuple(spec.program),
        priority=spec.priority,
        hours=spec.hours,
        data=spec.data,
        checkpoint=spec.checkpoint,
    )


def _team(stated: StatedTraining, platform: Platform) -> str:
    name = stated.training.metadata.namespace
    teams = {each.name: each.team_name for each in platform.namespaces}
    if name not in teams:
        said = unknown_name("namespace", name, sorted(teams), platform.name)
        raise SpecError([stated.fault(Problem(_NAMESPACE, said))])
    return teams[name]


def _of_field(problem: Problem) -> Problem:
    option = str(problem.path[0])
    path = _FIELDS.get(option, ("spec", option.removeprefix("--")))
    return Problem(path, problem.what, problem.allowed, problem.nearest)


def read_training(file: Path) -> StatedTraining:
    """Read a file; raise SpecError with every fault, OSError where it cannot be opened."""
    source = read_source(file, str(file))
    stated = text(members(source.content).get("kind"))
    if stated not in ("", KIND):
        what = f"{shown(stated)} is no {KIND}, the only kind that stands for others"
        problem = Problem(("kind",), what, f"{KIND}; `gpuplane lint` and `admit` judge all others")
        raise SpecError((Fault(mark_at(problem.path, source.marks), problem),))
    return StatedTraining(validated(source, DistributedTraining), source.marks)
