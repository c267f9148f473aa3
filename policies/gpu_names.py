"""How pods get GPUs: the names of resources, and the variables that runtimes read."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gpus.allocator import DEVICE_CLASS_PREFIX, device_class_resource
from gpus.catalog import load_catalog, load_vendors
from gpus.model import NVIDIA, Vendor
from policies.document import Json
from policies.pod import Pod

DOMAIN = "nvidia.com/"
CLASSES = ".nvidia.com"


class GpuNames:
    """The names by which pods ask for GPUs: those of every vendor, and those that pools offer."""

    def __init__(self, offered: Iterable[str]) -> None:
        catalog = load_catalog()
        makers = catalog.vendors.values()
        self.device_classes = frozenset(name for each in makers for name in each.device_classes)
        """The names of the device classes of GPUs that drivers bring."""
        whole = catalog.resources
        classes = map(device_class_resource, self.device_classes)
        self.names = frozenset({*whole, *classes, *offered})
        self.domains = tuple(sorted({f"{_domain(name)}/" for name in whole}))
        """What the names of all resources of the makers of GPUs begin with, of GPUs or not."""
        domain = _domain(catalog.vendors[NVIDIA].resource)
        self.prefixes = (f"{domain}/mig-", *sorted(f"{name}." for name in whole))
        """What the names of parts of GPUs begin with."""

    def is_gpu(self, resource: str) -> bool:
        return resource in self.names or resource.startswith(self.prefixes)


def known_gpu_resources() -> Iterator[str]:
    """Yield the names that GPUs and the MIG instances of all models have, shared or not."""
    for name in _unshared():
        yield name
        yield f"{name}.shared"


def _unshared() -> Iterator[str]:
    catalog = load_catalog()
    yield from sorted(catalog.resources)
    domain = _domain(catalog.vendors[NVIDIA].resource)
    cut = [model.mig for model in catalog.models.values() if model.mig is not None]
    suffixes = {profile.resource_suffix for geometry in cut for profile in geometry.profiles}
    yield from sorted(f"{domain}/{suffix}" for suffix in suffixes)


def _domain(resource: str) -> str:
    return resource.partition("/")[0]


def is_of_nvidia(resource: str) -> bool:
    if resource.startswith(DOMAIN):
        return True
    return resource.startswith(DEVICE_CLASS_PREFIX) and resource.endswith(CLASSES)


class DeviceVariable(NamedTuple):
    """An environment variable by which containers take devices of their node.

    The container runtime of a GPU's maker gives a container the devices that such a variable names,
    asked for or not, whoever sets it: the container, or its image. Each maker has a variable of its
    own, and values of its own that give none (`gpus/tables/vendors.toml`).
    """

    name: str
    closed: tuple[str, ...]
    """Its values that give no device; the first is the one to set."""

    def is_closed_by(self, entry: Mapping[str, Json]) -> bool:
        """Whether an entry of a container's `env` sets it to a value that gives no device."""
        return entry.get("valueFrom") is None and entry.get("value", "") in self.closed


def _known() -> Iterator[tuple[Vendor, DeviceVariable]]:
    for vendor in load_vendors().values():
        if vendor.devices_variable is not None:
            yield vendor, DeviceVariable(vendor.devices_variable, vendor.no_devices)


def _by_resource() -> Iterator[tuple[str, DeviceVariable]]:
    for vendor, variable in _known():
        for resource in (vendor.resource, *vendor.other_resources):
            yield resource, variable
        for device_class in vendor.device_classes:
            yield device_class_resource(device_class), variable


_OF_VENDOR = {vendor.name: variable for vendor, variable in _known()}

_OF_RESOURCE = dict(_by_resource())

_OF_NVIDIA = _OF_VENDOR[NVIDIA]

VARIABLES = tuple(_OF_VENDOR.values())

NAMES = tuple(variable.name for variable in VARIABLES)


def variables_at(pod: Pod) -> tuple[DeviceVariable, ...]:
    """Return those that the runtimes read on the nodes whose GPUs the pod asks for.

    Claims are for GPUs of NVIDIA, or for none: no others are allocated to claims here.
    """
    found = {_OF_NVIDIA.name: _OF_NVIDIA} if pod.has_claims else {}
    for resource in pod.gpus:
        variable = _OF_NVIDIA if is_of_nvidia(resource) else _OF_RESOURCE.get(resource)
        if variable is not None:
            found[variable.name] = variable
    # In an order that does not hang on the pod's.
    return tuple([variable for variable in VARIABLES if variable.name in found])


def resources_of(variable: DeviceVariable) -> tuple[str, ...]:
    """Return the resources by which pods ask for GPUs whose runtime reads a variable."""
    return tuple(resource for resource, each in _OF_RESOURCE.items() if each == variable)


def is_of_nvidia_runtime(variable: DeviceVariable) -> bool:
    """Whether NVIDIA's runtime reads it, by which GPUs of claims are given, too."""
    return variable == _OF_NVIDIA


def any_named(names: Iterable[Json]) -> bool:
    for name in names:  # noqa: SIM110 # a generator costs as much as its work
        if type(name) is str and name.startswith(NAMES):
            return True
    return False


def variable_named(name: Json) -> DeviceVariable | None:
    """Return the variable that a name stands for; None where it stands for none.

    Habana's runtime reads every variable whose name begins so, and nothing else begins so.
    https://github.com/HabanaAI/habana-container-runtime (cmd/habana-container-runtime/specs.go,
    `filterDevicesByENV` at v1.15.0)
    """
    if type(name) is not str or not name.startswith(NAMES):
        return None
    for variable in VARIABLES:
        if name.startswith(variable.name):
            return variable
    return None
