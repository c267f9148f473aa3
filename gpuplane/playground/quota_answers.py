"""What the pods of a manifest ask for, beside the quotas of their namespaces."""

from collections.abc import Iterable, Iterator

from gpuplane.playground.answer import PodAnswer, QuotaAnswer
from gpuplane.playground.playground_cluster import PlaygroundCluster


def quota_answers(cluster: PlaygroundCluster, pods: Iterable[PodAnswer]) -> Iterator[QuotaAnswer]:
    """Yield an answer for each GPU resource that they ask for in a namespace of a team."""
    asking: dict[tuple[str, str, str], list[PodAnswer]] = {}
    for pod in pods:
        for resource in pod.asks:
            asking.setdefault((pod.cluster, pod.namespace, resource), []).append(pod)
    for (worker, namespace, resource), together in asking.items():
        facts, _ = cluster.run_by(worker)
        if namespace in facts.quotas:
            yield QuotaAnswer(
                cluster=worker,
                namespace=namespace,
                resource=resource,
                asked=max(0, sum(pod.asks[resource] * _counted(pod) for pod in together)),
                at_least=any(pod.count is None for pod in together),
                quota=facts.quotas[namespace].get(resource, 0),
            )


def _counted(pod: PodAnswer) -> int:
    return 1 if pod.count is None else pod.count
