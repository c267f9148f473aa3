"""The resources, labels and taints of a pool's nodes, and how many pods they hold.

Sources
- `.shared`: https://github.com/NVIDIA/k8s-device-plugin (README, `renameByDefault`)
- labels of GPU feature discovery: https://github.com/NVIDIA/k8s-device-plugin (internal/lm at
  v0.20.0)
- each partition or client on GKE is one `nvidia.com/gpu`:
  https://cloud.google.com/kubernetes-engine/docs/how-to/gpus-multi and
  https://cloud.google.com/kubernetes-engine/docs/concepts/timesharing-gpus
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from gpus.allocator import GPU_DEVICE_CLASS, Allocator, allocator_labels, allocator_problems
from gpus.catalog import Catalog
from gpus.instance_type import Interconnect
from gpus.label_values import about
from gpus.mig import ALL_DISABLED, MigGeometry, format_profile
from gpus.model import HOST_ARCHITECTURE, NVIDIA, GpuModel, Vendor
from gpus.platform_names import GPU_MODEL, INTERCONNECT, NVLINK, POOL, PURCHASE, PURPOSE
from gpus.purchase import Purchase
from gpus.sharing import Sharing, sharing_problems
from gpus.taint import NO_SCHEDULE, ProviderTaints, Taint

GPU_PRODUCT = "nvidia.com/gpu.product"
_OS = "kubernetes.io/os"
_OWN_SPOT_TAINT = Taint(PURCHASE, Purchase.SPOT.value, NO_SCHEDULE)


class Advertiser(StrEnum):
    """The owners of the device plugin that advertises the GPUs."""

    OPERATOR = "operator"
    """The GPU operator's, or the vendor's own."""
    GKE = "gke"


class ResourceNaming(StrEnum):
    """How the device plugin names partitions of GPUs, and GPUs that several pods share."""

    OWN = "own"
    """Resources have names of their own: mixed MIG strategy, `renameByDefault` on."""
    WHOLE = "whole"
    """Each partition or share counts as a whole GPU: single MIG strategy, `renameByDefault` off."""


@dataclass(frozen=True, slots=True)
class PoolQuery:
    """The properties of a pool from which its facts follow."""

    pool: str
    model: GpuModel
    gpus_per_node: int
    sharing: Sharing
    purpose: str
    purchase: Purchase
    interconnect: Interconnect
    advertiser: Advertiser
    naming: ResourceNaming
    uniform_mig: bool
    """Whether the provider partitions the GPUs when it creates a node, so that the MIG manager must
    not."""
    provider_taints: ProviderTaints
    allocator: Allocator = Allocator.DEVICE_PLUGIN
    queued: bool = False
    """Whether nodes start only for a job that waits for them."""
    has_gpu_taint: bool = True
    """Whether nodes are to have the taint of their vendor, where the provider does not set it."""
    own_taints: tuple[Taint, ...] = ()
    """Further taints; one with the key and effect of the vendor's takes its place."""
    own_labels: Mapping[str, str] = field(default_factory=dict)
    provider_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels that the provider sets, as `PoolFacts.fixed_labels`."""


@dataclass(frozen=True, slots=True)
class AdvertisedResource:
    """An extended resource that pods ask a node for."""

    name: str
    per_node: int
    shared: bool
    """Whether several allocations hold the same GPU or MIG instance."""
    mig_profile: str | None
    memory_mib: int
    """Device memory that one allocation can use, in MiB; a MIG instance's by its memory slices."""

    @property
    def is_part(self) -> bool:
        """Whether an allocation is a part of a GPU."""
        return self.shared or self.mig_profile is not None


@dataclass(frozen=True, slots=True)
class PoolFacts:
    pool: str
    model: GpuModel
    gpus_per_node: int
    sharing: Sharing
    resources: tuple[AdvertisedResource, ...]
    labels: Mapping[str, str]
    """The labels that we set on the nodes, sorted by key."""
    taints: tuple[Taint, ...]
    provider_taints: tuple[Taint, ...]
    allocations_per_node: int
    """How many pods with one GPU resource each a node can hold."""
    spot_taint: Taint | None = None
    """The taint that only pods tolerate which opt in to spot nodes."""
    allocator: Allocator = Allocator.DEVICE_PLUGIN
    fixed_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels that follow from what a node is, each with the values that it can have, one of them
    for as long as the node is there; an empty one stands for a node without the label."""
    passing_labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that tools of the platform set, and change when the GPUs of a node are shared anew."""

    @property
    def advertised(self) -> tuple[AdvertisedResource, ...]:
        """The resources that a node advertises in its status.

        None with DRA, whose driver publishes a ResourceSlice instead: the scheduler looks there for
        what a node does not advertise.
        """
        return self.resources if self.allocator is Allocator.DEVICE_PLUGIN else ()

    @property
    def device_class(self) -> str | None:
        """The DeviceClass that stands for its one resource; None with a device plugin."""
        return GPU_DEVICE_CLASS if self.allocator is Allocator.DRA else None


def read_pool(query: PoolQuery, catalog: Catalog) -> PoolFacts:
    """Compute the facts of a pool.

    Raises ValueError when the model cannot be shared or given out in that way or a node has no GPU.
    """
    _check(query)
    resources = _advertised(query, catalog)
    vendor = catalog.vendor_of(query.model)
    taints = _taints(query, vendor)
    return PoolFacts(
        pool=query.pool,
        model=query.model,
        gpus_per_node=query.gpus_per_node,
        sharing=query.sharing,
        resources=resources,
        labels=dict(sorted((dict(query.own_labels) | dict(_labels(query))).items())),
        taints=tuple(taints),
        provider_taints=tuple(taint for taint, by_provider in taints.items() if by_provider),
        spot_taint=_spot_taint(query),
        allocations_per_node=sum(resource.per_node for resource in resources),
        allocator=query.allocator,
        fixed_labels=dict(sorted(_fixed_labels(query, resources))),
        passing_labels=dict(sorted(_passing_labels(query))),
    )


def _check(query: PoolQuery) -> None:
    problems = [
        *(problem.text for problem in sharing_problems(query.sharing, query.model)),
        *allocator_problems(query.allocator, query.sharing, query.model),
    ]
    if query.gpus_per_node < 1:
        problems.insert(0, f"{query.gpus_per_node} GPUs on a node; at least 1")
    if problems:
        raise ValueError(f"pool {query.pool}: {'; '.join(problems)}")


def _advertised(query: PoolQuery, catalog: Catalog) -> tuple[AdvertisedResource, ...]:
    whole = catalog.resource_of(query.model)
    resources: tuple[AdvertisedResource, ...] = (_whole_resource(query, whole),)
    if query.sharing.mig and query.model.mig:
        resources = tuple(_mig_resources(query, query.model.mig, whole.partition("/")[0]))
    if query.naming is ResourceNaming.WHOLE:
        return (_as_whole_gpus(resources, whole),)
    return resources


def _shared_name(resource: str, sharing: Sharing) -> str:
    return f"{resource}.shared" if sharing.replicas > 1 else resource


def _whole_resource(query: PoolQuery, resource: str) -> AdvertisedResource:
    sharing = query.sharing
    return AdvertisedResource(
        name=_shared_name(resource, sharing),
        per_node=query.gpus_per_node * sharing.replicas,
        shared=sharing.replicas > 1,
        mig_profile=None,
        # MPS divides the memory among its clients; pods that take turns all see the whole.
        memory_mib=query.model.memory_mib // sharing.mps,
    )


def _mig_resources(
    query: PoolQuery, geometry: MigGeometry, domain: str
) -> Iterator[AdvertisedResource]:
    sharing, slices = query.sharing, geometry.memory_slices
    for name, count in sharing.mig:
        profile = geometry.profile(name)
        yield AdvertisedResource(
            name=_shared_name(f"{domain}/{profile.resource_suffix}", sharing),
            per_node=query.gpus_per_node * count * sharing.replicas,
            shared=sharing.replicas > 1,
            mig_profile=name,
            memory_mib=query.model.memory_mib * profile.memory_slices // slices,
        )


def _as_whole_gpus(resources: tuple[AdvertisedResource, ...], whole: str) -> AdvertisedResource:
    profiles = {resource.mig_profile for resource in resources}
    return AdvertisedResource(
        name=whole,
        per_node=sum(resource.per_node for resource in resources),
        shared=resources[0].shared,
        mig_profile=profiles.pop() if len(profiles) == 1 else None,
        memory_mib=min(resource.memory_mib for resource in resources),
    )


def _taints(query: PoolQuery, vendor: Vendor) -> dict[Taint, bool]:
    by_provider, architecture = query.provider_taints, query.model.host_architecture
    gpu = Taint(vendor.taint_key, "present", NO_SCHEDULE)
    replaced = any((one.key, one.effect) == (gpu.key, gpu.effect) for one in query.own_taints)
    sets_gpu = vendor.name in by_provider.gpu_vendors
    taints = {gpu: sets_gpu} if sets_gpu or (query.has_gpu_taint and not replaced) else {}
    if architecture in by_provider.host_architectures:
        taints[Taint(HOST_ARCHITECTURE, architecture, NO_SCHEDULE)] = True
    if spot := _spot_taint(query):
        taints[spot] = by_provider.sets_spot
    if query.queued and by_provider.queued is not None:
        taints[by_provider.queued] = True
    for own in query.own_taints:
        taints.setdefault(own, False)
    return taints


def _spot_taint(query: PoolQuery) -> Taint | None:
    is_spot = query.purchase is Purchase.SPOT
    return (query.provider_taints.spot or _OWN_SPOT_TAINT) if is_spot else None


def _labels(query: PoolQuery) -> Iterator[tuple[str, str]]:
    yield POOL, query.pool
    yield PURPOSE, query.purpose
    yield PURCHASE, query.purchase.value
    yield GPU_MODEL, query.model.family
    yield INTERCONNECT, query.interconnect.value
    if query.model.nvlink and query.gpus_per_node > 1:
        yield NVLINK, "true"
    if query.model.vendor == NVIDIA and query.advertiser is Advertiser.OPERATOR:
        yield from _operator_labels(query)


def _operator_labels(query: PoolQuery) -> Iterator[tuple[str, str]]:
    # An autoscaler that starts from zero nodes knows a label only when the pool declares it.
    yield GPU_PRODUCT, _product(query)
    if plugin_config := query.sharing.device_plugin_config_name:
        yield "nvidia.com/device-plugin.config", plugin_config
    if not query.uniform_mig and query.model.mig:
        # Whole GPUs are asked for as well: a label that goes leaves the GPUs cut as they are.
        yield "nvidia.com/mig.config", query.sharing.mig_config_name or ALL_DISABLED
    yield from allocator_labels(query.allocator)


def _fixed_labels(
    query: PoolQuery, resources: tuple[AdvertisedResource, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield HOST_ARCHITECTURE, (query.model.host_architecture,)
    yield _OS, ("linux",)
    yield from query.provider_labels.items()
    if query.model.vendor == NVIDIA:
        # The operator runs GPU feature discovery on every node with GPUs of NVIDIA.
        yield "nvidia.com/gpu.present", ("true",)
        yield "nvidia.com/gpu.family", (query.model.architecture,)
        yield "nvidia.com/gpu.count", (str(_labelled_count(query)),)
        yield GPU_PRODUCT, (_product(query),)
        as_whole = query.naming is ResourceNaming.WHOLE and query.sharing.mig
        memory = resources[0].memory_mib if as_whole else query.model.memory_mib
        yield "nvidia.com/gpu.memory", (about(memory),)
        if query.model.compute_capability is not None:
            major, _, minor = query.model.compute_capability.partition(".")
            yield "nvidia.com/gpu.compute.major", (major,)
            yield "nvidia.com/gpu.compute.minor", (minor,)


def _passing_labels(query: PoolQuery) -> Iterator[tuple[str, str]]:
    """Yield what GPU feature discovery says of the sharing that the device plugin is told of."""
    is_told = query.advertiser is Advertiser.OPERATOR and query.allocator is Allocator.DEVICE_PLUGIN
    if query.model.vendor == NVIDIA and is_told:
        sharing = query.sharing
        is_cut = query.naming is ResourceNaming.OWN and sharing.mig
        replicas = 0 if is_cut else sharing.replicas
        yield "nvidia.com/gpu.replicas", str(replicas)
        strategy = "mps" if sharing.mps > 1 else "time-slicing"
        yield "nvidia.com/gpu.sharing-strategy", strategy if replicas > 1 else "none"


def _labelled_count(query: PoolQuery) -> int:
    """Return how many GPUs GPU feature discovery counts: instances, where each goes as a GPU."""
    instances = sum(count for _, count in query.sharing.mig)
    is_whole = query.naming is not ResourceNaming.WHOLE or not instances
    return query.gpus_per_node if is_whole else query.gpus_per_node * instances


def _product(query: PoolQuery) -> str:
    """Return the product as GPU feature discovery labels it, which says what a whole GPU is not.

    Of what another device plugin shares it knows nothing.
    """
    parts = [query.model.product]
    if query.naming is ResourceNaming.WHOLE:
        parts += [f"MIG-{format_profile(name)}" for name, _ in query.sharing.mig]
        is_shared = query.sharing.replicas > 1 and query.advertiser is Advertiser.OPERATOR
        parts += ["SHARED"] if is_shared else []
    return "-".join(parts)


def gpus_per_allocation(facts: PoolFacts, resource: AdvertisedResource) -> Fraction:
    """Return how much of a GPU one allocation of a resource of the pool is.

    A MIG instance is its compute slices' part of those of the GPU; what pods share is divided by
    their number. Where instances of several profiles go by one name, it is their mean.
    """
    layout = dict(facts.sharing.mig)
    if resource.mig_profile is not None:
        layout = {resource.mig_profile: 1}
    return _mean_instance(facts, layout) / facts.sharing.replicas


def node_part(facts: PoolFacts, resource: AdvertisedResource) -> Fraction:
    """Return the part of a node that belongs to one allocation of a resource of the pool.

    All that the node offers share it out, by what they are of a GPU.
    """
    offered = sum(gpus_per_allocation(facts, each) * each.per_node for each in facts.resources)
    return gpus_per_allocation(facts, resource) / offered


def _mean_instance(facts: PoolFacts, layout: dict[str, int]) -> Fraction:
    """Return the mean of the instances of a layout, in GPUs; 1 without MIG."""
    geometry = facts.model.mig
    if geometry is None or not layout:
        return Fraction(1)
    slices = sum(geometry.profile(name).compute_slices * n for name, n in layout.items())
    return Fraction(slices, geometry.compute_slices * sum(layout.values()))
