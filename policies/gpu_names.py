"""Which resources are GPUs or parts of them, offered by some pool or not."""

from collections.abc import Iterable, Iterator

from gpus.allocator import DEVICE_CLASS_PREFIX, device_class_resource
from gpus.catalog import Catalog, load_catalog
from gpus.vendor import NVIDIA

DOMAIN = "nvidia.com/"
CLASSES = ".nvidia.com"


class GpuNames:
    """The names by which pods ask for GPUs: those of every vendor, and those that pools offer."""

    def __init__(self, offered: Iterable[str]) -> None:
        catalog = load_catalog()
        makers = catalog.vendors.values()
        self.device_classes = frozenset(name for each in makers for name in each.device_classes)
        """The names of the device classes of GPUs that drivers bring."""
        whole = _whole_gpus(catalog)
        classes = map(device_class_resource, self.device_classes)
        self.names = frozenset({*whole, *classes, *offered})
        """Those that are known in full."""
        self.domains = tuple(sorted({f"{_domain(name)}/" for name in whole}))
        """What the names of all resources of the makers of GPUs begin with, of GPUs or not."""
        domain = _domain(catalog.vendors[NVIDIA].resource)
        self.prefixes = (f"{domain}/mig-", *sorted(f"{name}." for name in whole))
        """What the names of parts of GPUs begin with."""

    def is_gpu(self, resource: str) -> bool:
        """Whether the resource is a GPU or a part of one."""
        return resource in self.names or resource.startswith(self.prefixes)


def known_gpu_resources() -> Iterator[str]:
    """Yield the names that GPUs and the MIG instances of all models have, shared or not."""
    for name in _unshared():
        yield name
        yield f"{name}.shared"


def _unshared() -> Iterator[str]:
    catalog = load_catalog()
    yield from sorted(_whole_gpus(catalog))
    domain = _domain(catalog.vendors[NVIDIA].resource)
    cut = [model.mig for model in catalog.models.values() if model.mig is not None]
    suffixes = {profile.resource_suffix for geometry in cut for profile in geometry.profiles}
    yield from sorted(f"{domain}/{suffix}" for suffix in suffixes)


def _domain(resource: str) -> str:
    return resource.partition("/")[0]


def _whole_gpus(catalog: Catalog) -> set[str]:
    vendors = (vendor.resource for vendor in catalog.vendors.values())
    models = (model.resource for model in catalog.models.values() if model.resource)
    return {*vendors, *models}


def is_of_nvidia(resource: str) -> bool:
    """Whether a GPU resource is NVIDIA's."""
    if resource.startswith(DOMAIN):
        return True
    return resource.startswith(DEVICE_CLASS_PREFIX) and resource.endswith(CLASSES)
