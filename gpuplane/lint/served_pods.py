"""The GPU pods of workloads that answer requests for as long as they run."""

from collections.abc import Iterator

from gpuplane.lint.declared_number import DeclaredOptions, variables
from gpuplane.lint.rule import GpuPod, LintContext, LintObject, by_kind
from policies.container import Container, ContainerKind
from policies.document import elements
from policies.rules.replica_spread import INFERENCE
from policies.workloads.place import at


def replicated_pods(one: LintObject, context: LintContext) -> Iterator[GpuPod]:
    """Yield the pods that each answer requests, as those of a Deployment do."""
    place = by_kind("replicated").get(one.kind)
    return (pod for pod in one.gpu_pods if pod.pointer == place and _answers(pod, context))


def served_pods(one: LintObject, context: LintContext) -> Iterator[GpuPod]:
    """Yield the pods that answer requests; the leader of a group of pods does."""
    yield from replicated_pods(one, context)
    place = by_kind("grouped").get(one.kind)
    if place is None:
        return
    leaders = {
        f"{pointer}/{'leaderTemplate' if 'leaderTemplate' in group else 'workerTemplate'}"
        for pointer, group in at(one.document, place)
        if isinstance(group, dict)
    }
    yield from (pod for pod in one.gpu_pods if pod.pointer in leaders and _answers(pod, context))


def _answers(pod: GpuPod, context: LintContext) -> bool:
    """Whether a pod is in a namespace of services, a Service selects it, or it names a port."""
    namespace = context.known_namespace
    if namespace is not None and namespace.purpose == INFERENCE:
        return True
    if context.siblings.is_served(pod.pod.labels):
        return True
    return any(
        _names_port(each)
        for each in pod.pod.containers
        if each.kind is ContainerKind.APP and each.asks_for_gpu
    )


def _names_port(container: Container) -> bool:
    return bool(
        elements(container.raw.get("ports"))
        or DeclaredOptions(container).number(("port",))
        or any(variables(container, ("PORT",)))
    )
