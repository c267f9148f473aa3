"""A pool of GPU nodes as a construct, and the facts that pods and other objects follow."""

from collections.abc import Mapping
from dataclasses import replace

from constructs import Construct

from charts_py.components.node_pools.definition import provisioner_of
from charts_py.objects.kube_object import add_documents
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.platform import Platform, PlatformPool
from gpus.taint import Taint


class PoolFacts:
    """What follows from a pool."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def pool(self) -> PlatformPool:
        """The pool, its hardware, and everything that follows for each node."""
        raise NotImplementedError

    @property
    def taints(self) -> tuple[Taint, ...]:
        """The taints on the nodes, including those that the provider sets by itself."""
        return self.pool.facts.taints

    @property
    def tolerations(self) -> list[dict[str, str]]:
        """A toleration for each taint, as in the spec of a pod."""
        return tolerations_of(self.taints)

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels that the platform sets on the nodes."""
        return self.pool.facts.labels

    @property
    def resource_names(self) -> tuple[str, ...]:
        """The resources that pods ask for: several where GPUs are cut into unequal parts."""
        return tuple(resource.name for resource in self.pool.facts.resources)

    @property
    def resource_name(self) -> str:
        """The resource that pods ask for; raises ValueError where there are several."""
        (name,) = self.resource_names
        return name


class GpuNodePool(PoolFacts, Construct):
    """What the provider makes the nodes of one pool from.

    Karpenter's NodePools or an eksctl ClusterConfig on EKS, a ContainerNodePool or ComputeClass on
    GKE, a ManagedClustersAgentPool on AKS, a NodeFeatureRule on-prem.
    """

    def __init__(self, scope: Construct, id: str, *, platform: Platform, pool: str) -> None:
        """Add the objects of the pool of that name; raise KeyError where there is none."""
        Construct.__init__(self, scope, id)
        PoolFacts.__init__(self, pool)
        self._pool = platform.pool(pool)
        # What components add to nodes follows from the whole platform.
        alone = replace(platform, pools=(self._pool,), contribute=lambda _: platform.contribution)
        self.objects = add_documents(self, provisioner_of(platform).objects(alone))

    @property
    def pool(self) -> PlatformPool:
        return self._pool
