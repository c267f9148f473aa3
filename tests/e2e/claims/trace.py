"""200 small services and the training jobs beside them, on GPUs of 80 GB.

What the literature leaves open is assumed here:
- A service uses 5 to 14 % of a GPU's compute, evenly spread, and at most 10 GB of its memory. So
  the largest fits the 1/7 of a `1g.10gb` instance.
- A training pod holds the eight GPUs of a node and uses 85 % of their compute: a healthy one uses
  more, says the literature. More pods wait than there are nodes.
- Services start first, and none ends: they answer users.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from charts_py.objects.document import Document
from tests.e2e.manifest import manifest
from tests.e2e.scheduling.gpu_pods import gpu_pod, gpu_pod_spec
from tests.e2e.scheduling.placements import Placement

SERVICES = 200
TRAINING_JOBS = 24
GPUS_OF_A_JOB = 8
CPU = "1"

_MIN_PERCENT, _MAX_PERCENT = 5, 14
_TRAINING_PERCENT = 85
_WHOLE_GPU = "nvidia.com/gpu"


@dataclass(frozen=True, slots=True)
class Workload:
    """A service or a training job."""

    name: str
    gpus_in_use: Fraction
    """The compute that it uses while it runs, in whole GPUs."""


def services() -> list[Workload]:
    kinds = _MAX_PERCENT - _MIN_PERCENT + 1
    return [
        Workload(f"service-{number:03}", Fraction(_MIN_PERCENT + number % kinds, 100))
        for number in range(SERVICES)
    ]


def training_jobs() -> list[Workload]:
    in_use = Fraction(GPUS_OF_A_JOB * _TRAINING_PERCENT, 100)
    return [Workload(f"training-{number:02}", in_use) for number in range(TRAINING_JOBS)]


def service_pods(namespace: str, resource: str) -> Iterator[Document]:
    """Yield the services as pods that ask for one of a GPU resource."""
    for service in services():
        yield gpu_pod(service.name, namespace, {resource: 1}, cpu=CPU, priority="inference")


def job_objects(namespace: str) -> Iterator[Document]:
    """Yield the training jobs as Jobs, whose pods Kubernetes creates."""
    for job in training_jobs():
        spec = gpu_pod_spec({_WHOLE_GPU: GPUS_OF_A_JOB}, cpu=CPU, priority="training")
        template = {"spec": {**spec, "restartPolicy": "Never"}}
        yield manifest("batch/v1 Job", job.name, namespace, spec={"template": template})


def running(workloads: Iterable[Workload], placed: Iterable[Placement]) -> list[Workload]:
    """Return the workloads whose pods have a node; a Job's pod has a name that begins as its."""
    on_a_node = {"-".join(each.pod.split("-")[:2]) for each in placed if each.node is not None}
    return [each for each in workloads if each.name in on_a_node]
