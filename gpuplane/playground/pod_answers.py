"""The pods of an object that ask for GPUs, and where they could run."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from gpuplane.admission.object_admission import ObjectAdmission
from gpuplane.playground.amount import as_number
from gpuplane.playground.answer import PodAnswer
from gpuplane.playground.playground_cluster import PlaygroundCluster
from gpuplane.playground.pod_count import pod_count
from gpuplane.playground.pool_places import pool_places
from policies.manifest_admission import PodAdmission
from policies.manifest_pod import objects
from policies.pod import Pod


def pod_answers(
    cluster: PlaygroundCluster, written: Document, admission: ObjectAdmission
) -> Iterator[PodAnswer]:
    """Yield an answer for each template of the object; `written` is it before the fixes."""
    workloads = dict(objects(written))
    for worker, pods in (("", admission.pods), *admission.pods_elsewhere.items()):
        for each in pods:
            at = each.pod.pointer.removesuffix(each.pod.template.pointer)
            yield from _pod_answer(cluster, worker, workloads[at], each)


def _pod_answer(
    cluster: PlaygroundCluster, worker: str, workload: Document, admitted: PodAdmission
) -> Iterator[PodAnswer]:
    facts, engine = cluster.run_by(worker)
    made, pod = admitted.pod, Pod(admitted.admission.document, engine.offer.names.is_gpu)
    if not pod.asks_for_gpu:
        return
    places = pool_places(facts, engine, pod, made.namespace) if pod.gpus else ()
    yield PodAnswer(
        cluster=worker,
        namespace=made.namespace,
        pointer=made.pointer,
        count=pod_count(workload, made.template.pointer),
        asks={name: as_number(amount) for name, amount in pod.gpus.items()},
        pools=tuple(places),
    )
