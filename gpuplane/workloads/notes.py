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


def not_installed(request: Request, what: str, field: str) -> str:
    name = request.platform.name
    return (
        f"the file of {name} does not install {what}: switch on {field}, or see that the cluster "
        "has it anyway"
    )
