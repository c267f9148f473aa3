"""What a cluster file lacks that workloads need, or would be better off with."""

from collections.abc import Iterable, Iterator

from charts_py.objects.document import Document
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.request import Request


def not_together(request: Request, kind: Kind, document: Document) -> Iterator[str]:
    """Yield that nothing starts its pods all at once; `document` is what they belong to."""
    gangs = request.platform.contribution.gangs
    if request.nodes > 1 and gangs is None:
        yield (
            f"{request.platform.name} has no queues: pods that find GPUs hold them while others of "
            "the same job still wait"
        )
    is_alone = request.nodes == 1 and not kind.has_leader
    if is_alone or gangs is None or kind.annotates_gang:
        return
    if not gangs.makes(document["apiVersion"], document["kind"]):
        yield f"its pods wait one by one, so that it may start in part: {gangs.others}"


def shared_by_default(documents: Iterable[Document]) -> Iterator[str]:
    """Yield each claim that several pods mount, and that leaves its storage to the cluster."""
    for document in documents:
        if document["kind"] != "PersistentVolumeClaim":
            continue
        spec = document["spec"]
        if "ReadWriteMany" in spec["accessModes"] and "storageClassName" not in spec:
            yield (
                f"the claim {document['metadata']['name']} is ReadWriteMany, since several pods "
                "mount it, and names no storage class: the default one must have such volumes, "
                "which disks of clouds are not"
            )


def without_job_set(request: Request) -> Iterator[str]:
    """Yield that JobSet is not in the cluster file."""
    if not request.platform.cluster.training.has_job_set:
        yield not_installed(request, "JobSet", "training.jobSet")


def without_training_operator(request: Request) -> Iterator[str]:
    """Yield that Kubeflow's training operator is not in the cluster file."""
    if request.platform.cluster.training.training_operator is None:
        yield not_installed(request, "Kubeflow's training operator", "training.trainingOperator")


def ray_notes(request: Request) -> Iterator[str]:
    """Yield that KubeRay is not in the cluster file."""
    if request.platform.cluster.training.ray is None:
        yield not_installed(request, "KubeRay", "training.ray")


def not_installed(request: Request, what: str, field: str) -> str:
    """Return that something is not in the cluster file, which a field of it switches on."""
    name = request.platform.name
    return (
        f"the file of {name} does not install {what}: switch on {field}, or see that the cluster "
        "has it anyway"
    )
