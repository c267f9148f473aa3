"""The environment variables by which containers take the devices of their node.

The container runtime of a GPU's maker gives a container the devices that such a variable names,
asked for or not, whoever sets it: the container, or its image. Each maker has a variable of its
own, and values of its own that give none (`gpus/tables/vendors.toml`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gpus.allocator import device_class_resource
from gpus.catalog import load_vendors
from gpus.vendor import NVIDIA, Vendor
from policies.document import Json
from policies.gpu_names import is_of_nvidia
from policies.pod import Pod


class DeviceVariable(NamedTuple):
    """A variable by which containers take devices."""

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
"""All of them."""

NAMES = tuple(variable.name for variable in VARIABLES)
"""The names of all of them."""


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
    """Whether one of these names of variables is such a variable's."""
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
