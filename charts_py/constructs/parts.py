"""The parts of a GPU platform as constructs, each of which stands in any chart."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import ClassVar, TypeAlias

from constructs import Construct

from charts_py.argocd.applications import application_of
from charts_py.argocd.project import permissions_of, project
from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.other_names import unknown_name
from charts_py.cluster_file.queues import Priority, default_ladder
from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.components.component import Component
from charts_py.components.gpu_metrics import GPU_METRICS
from charts_py.components.gpu_operator.definition import GPU_OPERATOR, GPU_OPERATOR_QUOTA
from charts_py.components.gpu_roles import GPU_ROLES, role_objects
from charts_py.components.gpu_sharing import GPU_SHARING
from charts_py.components.namespaces import namespace_objects
from charts_py.components.priority_classes import PRIORITY_CLASSES, priority_classes
from charts_py.components.team.objects import team_objects
from charts_py.components.webhook.configuration import WEBHOOK_CONFIGURATION
from charts_py.components.webhook.definition import WEBHOOK
from charts_py.components.webhook.server import NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.kube_object import KubeObject, add_documents
from charts_py.objects.pods import tolerations_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.providers.placeholder import placeholder_class, placeholder_deployment
from charts_py.providers.registry import held_pools, provisioner_of
from gpus.taint import Taint

Objects: TypeAlias = tuple[KubeObject, ...]


class GpuOperator(Construct):
    """An Argo CD Application of the operator's pinned chart, with the values that the pools need.

    The values follow from who owns the driver, how the GPUs are shared, the taints of the nodes and
    who collects the metrics.
    """

    def __init__(
        self, scope: Construct, id: str, *, platform: Platform, is_alone: bool = True
    ) -> None:
        """Add the Application; raise RenderError where no pool has NVIDIA GPUs.

        Unless `is_alone` is false, what it refers to comes before it: its AppProject, its
        namespace, and what its daemons mount there.
        """
        super().__init__(scope, id)
        component = next(GPU_OPERATOR.plan(platform), None)
        if component is None or component.helm is None:
            raise RenderError(f"{platform.name}: no pool has NVIDIA GPUs")
        self.release = component.helm
        """The chart, its version and its values."""
        self.namespace = component.namespace
        """The namespace that it is installed in."""
        surroundings = _around_operator(platform, component) if is_alone else ()
        application = application_of(platform, component).document()
        self.objects = add_documents(self, [*surroundings, application])


def _around_operator(platform: Platform, operator: Component) -> Iterator[Document]:
    gitops = platform.cluster.gitops
    permissions = permissions_of([operator], {}, gitops)
    yield project(platform.name, gitops.argocd_namespace, permissions)
    yield from namespace_objects(platform, GPU_OPERATOR.added.namespaces)
    for definition in (GPU_OPERATOR_QUOTA, GPU_SHARING, GPU_METRICS):
        for component in definition.plan(platform):
            yield from component.objects() if component.objects else ()


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
        """Add the objects of the pool of that name; raise RenderError where there is none."""
        Construct.__init__(self, scope, id)
        PoolFacts.__init__(self, pool)
        _check_name("pool", pool, [each.name for each in platform.pools], platform)
        self._pool = platform.pool(pool)
        # What components add to nodes follows from the whole platform.
        alone = replace(platform, pools=(self._pool,), contribute=lambda _: platform.contribution)
        self.objects = add_documents(self, provisioner_of(platform).objects(alone))

    @property
    def pool(self) -> PlatformPool:
        return self._pool


class WarmNodes(Construct):
    """Placeholders that hold warm nodes of the pools, and their class; none with Karpenter."""

    def __init__(self, scope: Construct, id: str, *, platform: Platform) -> None:
        super().__init__(scope, id)
        held = [placeholder_deployment(pool, platform) for pool in held_pools(platform)]
        self.objects = add_documents(self, [placeholder_class(), *held] if held else [])


class PriorityClasses(Construct):
    """A PriorityClass for each rung of a ladder; none is the default of pods that name none."""

    def __init__(
        self, scope: Construct, id: str, *, priorities: Mapping[str, Priority] | None = None
    ) -> None:
        """Add the classes of `priorities`, by default a ladder from `batch` to `system`."""
        super().__init__(scope, id)
        self.priorities = default_ladder() if priorities is None else priorities
        """The rungs by name."""
        self.objects = add_documents(self, priority_classes(self.priorities))


class _TeamPart(Construct):
    """Objects of some kinds of a team's namespace."""

    kinds: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        platform: Platform,
        namespace: str,
        known: Iterable[Document] | None = None,
    ) -> None:
        """Add the objects of the namespace of that name; raise RenderError where there is none.

        `known` are all of that namespace, where they have been made already.
        """
        super().__init__(scope, id)
        _check_name("namespace", namespace, [each.name for each in platform.namespaces], platform)
        made = _objects_in(platform, namespace) if known is None else known
        self.objects = add_documents(self, [each for each in made if each["kind"] in self.kinds])


class TeamQuota(_TeamPart):
    """The most that the pods, volumes and claims of a namespace may request.

    A ResourceQuota, one of no pods with the priorities of others, and a LimitRange. GPUs are
    counted by the resources that the pools offer, so that a MIG instance or a share of a GPU counts
    as what it is.
    """

    kinds = ("ResourceQuota", "LimitRange")

    @property
    def bounds(self) -> dict[str, str]:
        """The bounds by resource, as `requests.nvidia.com/gpu`."""
        named = {each.document["metadata"]["name"]: each.document for each in self.objects}
        return dict(named["quota"]["spec"]["hard"])


class TeamNetworkPolicies(_TeamPart):
    """NetworkPolicies that close a namespace and open what its purpose and its fields need."""

    kinds = ("NetworkPolicy",)


class TeamAccess(_TeamPart):
    """A RoleBinding for each role that groups of the identity provider have in a namespace."""

    kinds = ("RoleBinding",)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        bindings = (each.document for each in self.objects)
        return {
            each["roleRef"]["name"]: tuple(subject["name"] for subject in each["subjects"])
            for each in bindings
        }


class TeamRoles(Construct):
    """The ClusterRoles that teams are bound to, and what all their members read."""

    def __init__(self, scope: Construct, id: str, *, platform: Platform) -> None:
        super().__init__(scope, id)
        self.objects = add_documents(self, role_objects(platform))


TEAM_PARTS = (TeamAccess, TeamQuota, TeamNetworkPolicies)


class AdmissionWebhook(Construct):
    """The server that fixes and judges GPU pods, in a namespace of its own.

    Its settings are the facts of the pools and teams, so that it adds the tolerations of the taints
    that the nodes have.
    """

    def __init__(
        self, scope: Construct, id: str, *, platform: Platform, is_called: bool = True
    ) -> None:
        """Add the server and, unless `is_called` is false, what the API server does with it.

        That is to call it, and to judge by itself what it does not vouch for, where
        `policies.admission` says so. It can follow once the server runs: until then, each review
        waits for its timeout.
        """
        super().__init__(scope, id)
        self.namespace = NAMESPACE
        """The namespace of the server."""
        called = (ADMISSION_POLICIES, WEBHOOK_CONFIGURATION) if is_called else ()
        made = (each.objects(platform) for each in (WEBHOOK, *called) if each.objects is not None)
        self.objects = add_documents(self, chain.from_iterable(made))


def _check_name(kind: str, name: str, known: Sequence[str], platform: Platform) -> None:
    if name not in known:
        raise RenderError(unknown_name(kind, name, known, platform.name))


def _objects_in(platform: Platform, namespace: str) -> tuple[Document, ...]:
    """Return the Namespace itself, and all in it that the platform and its components add."""
    return tuple(team_objects(platform, platform.namespace(namespace)))


def composed_parts(platform: Platform) -> dict[str, Callable[[Construct], Objects]]:
    """Map components that are constructs of their own to what adds them at a place."""
    provisioner = provisioner_of(platform)
    composed: dict[str, Callable[[Construct], Objects]] = {
        PRIORITY_CLASSES.name: lambda scope: (
            PriorityClasses(scope, "ladder", priorities=platform.cluster.priorities).objects
        ),
        GPU_ROLES.name: lambda scope: TeamRoles(scope, "roles", platform=platform).objects,
        WEBHOOK.name: lambda scope: (
            AdmissionWebhook(scope, "server", platform=platform, is_called=False).objects
        ),
        **{f"team-{team}": partial(_team, platform, team) for team in platform.cluster.teams},
    }
    # One ClusterConfig of eksctl has the node groups of all pools.
    if provisioner.is_synced:
        composed[provisioner.component] = lambda scope: tuple(
            each
            for pool in platform.pools
            for each in GpuNodePool(scope, pool.name, platform=platform, pool=pool.name).objects
        )
    return composed


def _team(platform: Platform, team: str, scope: Construct) -> Objects:
    objects: list[KubeObject] = []
    for name in (each.name for each in platform.namespaces if each.team_name == team):
        place, made = Construct(scope, name), _objects_in(platform, name)
        of_parts = {kind for part in TEAM_PARTS for kind in part.kinds}
        objects += add_documents(place, [each for each in made if each["kind"] not in of_parts])
        for part in TEAM_PARTS:
            added = part(place, part.__name__, platform=platform, namespace=name, known=made)
            objects += added.objects
    return tuple(objects)
