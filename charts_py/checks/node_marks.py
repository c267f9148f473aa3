"""Taints and labels that the nodes of a pool have beside those that follow from their hardware."""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import GpuTaint
from charts_py.platform.draft import Draft, DraftPool
from gpus.platform_names import LABEL_PREFIX
from gpus.pool_facts import PoolFacts
from gpus.taint import Taint

RESERVED_DOMAINS = (
    *(LABEL_PREFIX, "kubernetes.io", "k8s.io"),
    *("karpenter.sh", "karpenter.k8s.aws", "eks.amazonaws.com", "cloud.google.com"),
    "kubernetes.azure.com",
)
"""Domains of labels that gpuplane, a kubelet, a provisioner or a cloud sets, and refuses of others:
https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction,
https://karpenter.sh/docs/concepts/nodepools/#spectemplatemetadatalabels,
https://learn.microsoft.com/azure/aks/use-labels"""


def is_of(domains: Iterable[str], key: str) -> bool:
    """Return whether a label or taint is of one of these domains, or of one below."""
    domain = key.rpartition("/")[0]
    return any(f".{domain}".endswith(f".{one}") for one in domains)


def check_node_marks(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each taint or label that somebody else sets on the nodes."""
    for pool in draft.pools:
        if pool.facts is not None:
            yield from _check_gpu_taint(draft, pool, pool.facts)
            yield from _check_taints(draft, pool, pool.facts)
            yield from _check_labels(pool, pool.facts)


def _check_gpu_taint(draft: Draft, pool: DraftPool, facts: PoolFacts) -> Iterator[Problem]:
    vendor = facts.model.vendor
    if pool.spec.taint is GpuTaint.NONE and vendor in draft.provider.taints.gpu_vendors:
        what = f"{draft.provider.name} taints nodes with GPUs of {vendor} by itself"
        yield Problem((*pool.path, "taint"), what, GpuTaint.GPU.value)


def _check_taints(draft: Draft, pool: DraftPool, facts: PoolFacts) -> Iterator[Problem]:
    """Yield a problem for each taint whose key and effect another has: a node has one of each."""
    stated = [Taint(one.key, one.value, one.effect.value) for one in pool.spec.taints]
    others = [(taint, draft.provider.name.value) for taint in facts.provider_taints]
    others += [(taint, "gpuplane") for taint in facts.taints if taint not in stated]
    for index, taint in enumerate(stated):
        for other, setter in others:
            if (other.key, other.effect) == (taint.key, taint.effect) and other != taint:
                what = f"{setter} sets {other}, and a node has one taint of a key and an effect"
                yield Problem((*pool.path, "taints", index), what, "another key, or effect")
                break
        others.append((taint, "this pool"))


def _check_labels(pool: DraftPool, facts: PoolFacts) -> Iterator[Problem]:
    for key, value in pool.spec.labels.items():
        if is_of(RESERVED_DOMAINS, key):
            what = (
                f"labels of {key.rpartition('/')[0]} are set by gpuplane, the kubelet or the cloud"
            )
            yield Problem((*pool.path, "labels", key), what, "a label of another domain, or none")
        elif facts.labels[key] != value:
            what = f'gpuplane sets it to "{facts.labels[key]}"'
            yield Problem((*pool.path, "labels", key), what, "no such label")
