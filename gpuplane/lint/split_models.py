"""Servers split a model on the GPUs that they have.

With more, a server waits for processes that have no GPU, or ends; with fewer, GPUs stand idle.
"""

from collections.abc import Iterator

from gpuplane.lint.model_servers import parallelism
from gpuplane.lint.rule import GpuPod, LintObject, RuleFinding, by_kind, whole_gpus
from gpuplane.workloads.pod_count import pod_count
from policies.container import Container
from policies.document import members, steps_of, value_at


def split_models(one: LintObject) -> Iterator[RuleFinding]:
    """Find servers that split a model on more GPUs than they have, or on fewer."""
    is_group = one.kind in by_kind("grouped")
    if not is_group and (len(one.gpu_pods) > 1 or one.kind not in by_kind("one_pod_servers")):
        return
    for pod in one.gpu_pods:
        for container in pod.pod.gpu_containers:
            gpus = whole_gpus(container)
            of_all = _gpus_of_group(one, pod) if is_group else gpus
            if gpus is not None and of_all is not None:
                for finding in _split(container, gpus, of_all, is_group=is_group):
                    yield finding._replace(pointer=f"{pod.pointer}{finding.pointer}")


def _split(
    container: Container, gpus: int, of_all: int, *, is_group: bool
) -> Iterator[RuleFinding]:
    found = parallelism(container)
    if found is None or {gpus, of_all} & found.products:
        return
    whose = "pods of the group have" if is_group and of_all != gpus else "container has"
    if min(found.products) > of_all and (is_group or not found.may_span_pods):
        what = f"but the {whose} {of_all} GPUs, so that the server never starts"
    elif (most := max(found.products)) < gpus and not found.may_leave_gpus:
        what = f"so that {gpus - most} of the {gpus} GPUs of the container stand idle"
    else:
        return
    yield RuleFinding(
        found.declared[0].pointer,
        f"{found.stated}, {what}.",
        f"Split the model on as many GPUs as there are, or ask for {found.gpus} GPUs.",
    )


def _gpus_of_group(one: LintObject, pod: GpuPod) -> int | None:
    """Return the GPUs of all pods of one group; None where that is unknown."""
    group = pod.pointer.rpartition("/")[0]
    holder = steps_of(group.rpartition("/")[0])
    replicas = members(value_at(one.document, holder)).get("replicas", 1)
    counts = [
        (pod_count(one.document, each.pointer), [*map(whole_gpus, each.pod.gpu_containers)])
        for each in one.gpu_pods
        if each.is_below(group)
    ]
    if type(replicas) is not int or replicas < 1:
        return None
    known = [pods * sum(filter(None, gpus)) for pods, gpus in counts if pods and None not in gpus]
    return sum(known) // replicas if len(known) == len(counts) else None
