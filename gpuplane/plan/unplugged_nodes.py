"""Who waits for EFA interfaces, as their device plugin leaves nodes of types that no pool has."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from charts_py.components.efa_device_plugin import EFA_DEVICE_PLUGIN, efa_pools
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.restart_words import listed
from gpuplane.plan.workload_impact import makers, named
from policies.manifest_pod import manifest_pods
from policies.pod import Pod
from policies.reach import Offer
from policies.settings import EFA_RESOURCE


@dataclass(frozen=True, slots=True)
class UnpluggedNodes:
    """The nodes of a pool that run as machines of its former type."""

    pool: str
    instance_type: str
    asking: tuple[str, ...]
    """The workloads that ask for interfaces and can run there, or namespaces with a quota on it."""


def unplugged_nodes(
    before: Platform | None, after: Platform | None, workloads: Sequence[Document] | None
) -> Iterator[UnpluggedNodes]:
    """Yield the pools that stay, with those who ask for interfaces there; none if not known."""
    if before is None or after is None or not EFA_DEVICE_PLUGIN.is_wanted(before):
        return
    left = {pool.instance_type for pool in efa_pools(after)}
    kept = {pool.name for pool in after.pools} if after.cluster.addons.efa_device_plugin else set()
    for pool in efa_pools(before):
        if pool.name not in kept or pool.instance_type in left:
            continue
        found = _asking(before, pool, workloads)
        if asking := tuple(dict.fromkeys(found)):
            yield UnpluggedNodes(pool.name, str(pool.instance_type), asking)


def _asking(
    platform: Platform, pool: PlatformPool, workloads: Sequence[Document] | None
) -> Iterator[str]:
    if workloads is None:
        quotas = {each.name: each.spec.quota for each in platform.namespaces}
        yield from (
            f"{platform.name}/{name}" for name, quota in quotas.items() if pool.name in quota.gpus
        )
        return
    offer = Offer(policy_settings(platform).pools)
    for one in makers(workloads):
        for made in manifest_pods(one):
            pod = Pod(made.document, offer.names.is_gpu)
            pools = (each.name for each in offer.reach(pod).pools)
            if pod.effective_request(EFA_RESOURCE) and pool.name in pools:
                yield named(one)


def unplugged_clauses(cluster: str, nodes: Iterable[UnpluggedNodes]) -> Iterator[str]:
    for each in nodes:
        who = f"pods of {listed(each.asking)} that ask for {EFA_RESOURCE}"
        yield (
            f"the EFA device plugin leaves {each.instance_type} nodes of {cluster}/{each.pool}, "
            f"and {who} wait for other nodes when they start again"
        )
