"""Which GPU model nodes have, and how many of it."""

from collections.abc import Iterable, Mapping

from gpuplane.adoption.found_node import GPU_LABELS
from gpuplane.adoption.found_object import whole_number
from gpuplane.adoption.node_names import GKE_ACCELERATOR
from gpus.catalog import Catalog
from gpus.mig import MigLayout, format_profile
from gpus.model import GpuModel
from gpus.platform_names import GPU_MODEL

_SHARED = "-SHARED"
_MIG = "-MIG-"
"""What GPU feature discovery adds to a product that is shared, and to a partition of it
(https://github.com/NVIDIA/k8s-device-plugin/tree/main/docs/gpu-feature-discovery)."""


def known_model(
    labels: Mapping[str, str], instance_types: Iterable[str | None], catalog: Catalog
) -> GpuModel | None:
    """Return the model that the instance type has, or else the label names; None for neither."""
    for offered in catalog.instance_types.values():
        for name in instance_types:
            if name is not None and name in offered:
                return catalog.model(offered[name].gpu)
    products = {model.product: model for model in catalog.models.values()}
    accelerators = {
        accelerator.type: model
        for offer in catalog.offers.values()
        for model, accelerator in offer.accelerators.items()
    }
    for label in GPU_LABELS:
        value = labels.get(label, "")
        if label == GKE_ACCELERATOR and value in accelerators:
            return catalog.model(accelerators[value])
        if whole_product(value) in products:
            return products[whole_product(value)]
    return _only_one_of(labels.get(GPU_MODEL), catalog)


def _only_one_of(family: str | None, catalog: Catalog) -> GpuModel | None:
    of_family = [model for model in catalog.models.values() if model.family == family]
    return of_family[0] if len(of_family) == 1 else None


def whole_product(product: str) -> str:
    """Return the product of which one names a shared GPU or a partition."""
    return product.removesuffix(_SHARED).partition(_MIG)[0]


def partition_of(product: str) -> str | None:
    """Return the MIG profile that a product names; None for a whole GPU."""
    return product.removesuffix(_SHARED).partition(_MIG)[2] or None


def stated_product(labels: Mapping[str, str]) -> str | None:
    """Return what nodes call their GPU, whether it is known or not."""
    return next((labels[label] for label in GPU_LABELS if label in labels), None)


def gpus_per_node(
    model: GpuModel,
    labels: Mapping[str, str],
    capacity: Mapping[str, str],
    layout: MigLayout,
    replicas: int,
) -> int | None:
    """Return the GPUs of a node; None where nothing says how many.

    The label of GPU feature discovery counts partitions where these go by the name of whole GPUs.
    """
    instances = sum(layout.values()) or 1
    counted = whole_number(labels.get("nvidia.com/gpu.count"))
    if counted is not None:
        partitions = partition_of(labels.get("nvidia.com/gpu.product", "")) is not None
        return _divided(counted, instances if partitions else 1)
    domain = (model.resource or f"{model.vendor}.com/gpu").partition("/")[0]
    for profile, count in layout.items():
        for suffix, shared in (("", 1), (".shared", replicas)):
            offered = capacity.get(f"{domain}/mig-{format_profile(profile)}{suffix}", "0")
            if offered != "0":
                return _divided(whole_number(offered), count * shared)
    whole = model.resource or _resource_in(capacity, domain)
    if (shared_gpus := whole_number(capacity.get(f"{whole}.shared"))) is not None:
        return _divided(shared_gpus, replicas)
    return _divided(whole_number(capacity.get(whole)), instances * replicas)


def _resource_in(capacity: Mapping[str, str], domain: str) -> str:
    names = [name for name in capacity if name.startswith(f"{domain}/")]
    return next((name for name in names if not name.endswith(".shared")), f"{domain}/gpu")


def _divided(count: int | None, by: int) -> int | None:
    """Return a whole share of a count; None where it is none, or zero."""
    return count // by if count and count % by == 0 else None
