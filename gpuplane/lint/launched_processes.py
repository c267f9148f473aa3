"""How many processes the launcher of an MPIJob starts on its workers.

mpirun refuses more than there are slots, and leaves GPUs idle with fewer
(https://docs.open-mpi.org/en/main/launching-apps/scheduling.html).
"""

from collections.abc import Iterator

from gpuplane.lint.gpu_pod import whole_gpus
from gpuplane.lint.lint_object import LintObject
from gpuplane.lint.pods_of_job import pods_together
from gpuplane.lint.stated_number import StatedOptions
from gpuplane.lint.template_rule import TemplateFinding
from policies.pod import Pod
from policies.settings import JobKind

_MPI_JOB = JobKind("kubeflow.org", "MPIJob")
_LAUNCHER, _WORKER = "/spec/mpiReplicaSpecs/Launcher/template", "/spec/mpiReplicaSpecs/Worker"


def launched_processes(one: LintObject) -> Iterator[TemplateFinding]:
    """Find a number of processes that is not that of the GPUs of all workers."""
    gpus = _gpus_of_workers(one) if one.kind == _MPI_JOB else None
    if gpus is None:
        return
    for template in one.templates:
        if template.pointer != _LAUNCHER:
            continue
        for container in Pod(template.document, lambda _: False).containers:
            stated = StatedOptions(container).number(("np",))
            if stated is not None and stated.value not in (1, gpus):
                yield TemplateFinding(
                    f"{_LAUNCHER}{stated.pointer}",
                    f"{stated.name} is {stated.value}, but the workers have {gpus} GPUs.",
                    f"Set it to {gpus}, or run workers with {stated.value} GPUs.",
                )


def _gpus_of_workers(one: LintObject) -> int | None:
    """Return the GPUs of all workers; None where that is not known, or others have some, too."""
    pods = one.gpu_pods
    if len(pods) != 1 or not pods[0].is_below(_WORKER):
        return None
    replicas = pods_together(one)
    each = [whole_gpus(container) for container in pods[0].pod.gpu_containers]
    if replicas is None or len(each) != 1 or each[0] is None:
        return None
    return replicas * each[0]
