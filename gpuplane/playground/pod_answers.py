"""The pods of an object that ask for GPUs, and where they could run."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from gpuplane.admission.object_admission import ObjectAdmission
from gpuplane.playground.answer import PodAnswer, PoolAnswer
from gpuplane.playground.cluster_facts import PlaygroundCluster, PlaygroundFacts
from gpuplane.workloads.pod_count import pod_count
from gpuplane.workloads.unset_label import unset_labels
from gpus.platform_names import PURCHASE
from policies.document import objects
from policies.engine import Engine
from policies.manifest_admission import PodAdmission
from policies.pod import Pod
from policies.quantity import Quantity, format_bytes, format_most
from policies.reach import holds, lacking, most_of
from policies.settings import PoolSettings
from policies.toleration import is_spot, untolerated
from policies.unmet_label import unmet_label

_MOST = 2**63 - 1
"""No quantity is larger, or smaller than its negative
(https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/)."""


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


def as_number(amount: Quantity) -> float:
    """Return the nearest float; one that is too large counts as the largest quantity there is."""
    return float(min(max(amount, -_MOST), _MOST))


def pool_places(
    facts: PlaygroundFacts, engine: Engine, pod: Pod, namespace: str
) -> Iterator[PoolAnswer]:
    """Yield an answer for each pool of the cluster, about a pod as admission leaves it.

    Nodes are taken as large as they are, without what the system and daemons use of them.
    """
    for pool in engine.settings.pools:
        reason = next(_obstacles(engine, pool, pod, namespace), "")
        cost = facts.costs[pool.name]
        yield PoolAnswer(
            pool=pool.name,
            reason=reason,
            hour=None if reason else _hour(facts, pool, pod),
            currency=cost.currency,
            unpriced=cost.unpriced,
        )


def _obstacles(engine: Engine, pool: PoolSettings, pod: Pod, namespace: str) -> Iterator[str]:
    """Yield what keeps a pod off a pool, the plainest first."""
    yield from _of_resources(pool, pod)
    yield from _of_size(pool, pod)
    known = engine.settings.namespaces.get(namespace)
    if known is not None and known.pools is not None and pool.name not in known.pools:
        yield f"namespace {namespace} has no quota on it"
    unmet = unmet_label(pod, [pool.certain_labels], engine.offer.absent_labels)
    unmet = unmet or next(iter(unset_labels(pod, [pool])), None)
    if unmet is not None:
        yield f"it has no nodes {unmet.required}: {unmet.key} {unmet.there}"
    elif pool not in engine.offer.reach(pod).selected:
        yield "the pod's node affinity leaves it out"
    for taint in untolerated(pool.taints, pod.tolerations):
        hint = f"; the annotation {PURCHASE}: spot opts in" if is_spot(pool) else ""
        yield f"the pod does not tolerate its taint {taint}{hint}"


def _of_resources(pool: PoolSettings, pod: Pod) -> Iterator[str]:
    per_node = {resource.name: resource.per_node for resource in pool.resources}
    missing = [name for name in pod.gpus if name not in per_node]
    if missing:
        yield f"it offers {', '.join(per_node)}, not {', '.join(missing)}"
        return
    for name, amount in pod.gpus.items():
        if amount < 0 or amount % 1:
            yield f"{_number(amount)} of {name} is not a number of GPUs"
        if amount > per_node[name]:
            yield f"a node has {per_node[name]} of {name}, and the pod asks for {_number(amount)}"
    if not holds(pool, pod):
        yield "its GPUs are shared, and a container asks for more than one share"


def _of_size(pool: PoolSettings, pod: Pod) -> Iterator[str]:
    for name in lacking(pool, pod, ()):
        most, asked = format_most(name, most_of(pool, name) or 0), pod.effective_request(name)
        shown = _number(asked) if name == "cpu" else _memory(asked)
        yield f"a node has {most} of {name}, and the pod asks for {shown}"


def _hour(facts: PlaygroundFacts, pool: PoolSettings, pod: Pod) -> float | None:
    cost = facts.costs[pool.name]
    if cost.gpu_hour is None:
        return None
    same_as = {resource.name: resource.same_as or resource.name for resource in pool.resources}
    gpus = sum(float(amount) * cost.gpus[same_as[name]] for name, amount in pod.gpus.items())
    return gpus * cost.gpu_hour


def _number(amount: Quantity) -> str:
    return f"{as_number(amount):g}"


def _memory(amount: Quantity) -> str:
    return format_bytes(int(amount))
