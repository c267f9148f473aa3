from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.commands.arguments import AsOutput, Output
from gpuplane.completion import complete_hardware
from gpuplane.json_output import ReportKind, camel_case, print_report
from gpuplane.tables import Row, Table, print_table

if TYPE_CHECKING:
    from gpus.catalog import Catalog
    from gpus.instance_type import InstanceType
    from gpus.model import GpuModel


_MODEL_HEADERS = (
    "GPU model",
    "Vendor",
    "Memory",
    "NVLink",
    "MPS",
    "Host CPU",
    "Driver",
    "MIG profiles (max per GPU)",
)
_TYPE_HEADERS = ("Instance type", "GPU", "GPUs", "CPU", "Memory", "Gbit/s", "RDMA", "Local NVMe")

_NOT_PRINTED = frozenset({"topology_levels", "purchases", "accelerator", "local_disk_gib"})
"""Only checks and node pools need these columns of instance types."""


def hardware(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A provider with instance types, such as eks, or a GPU model; all models by "
            "default.",
            autocompletion=complete_hardware,
        ),
    ] = None,
    *,
    output: AsOutput = Output.TEXT,
) -> None:
    """List GPU models, or the instance types of a provider.

    ```console
    gpuplane hardware            # GPU models, with their MIG profiles
    gpuplane hardware H200-SXM   # one of them
    gpuplane hardware gke        # instance types of GKE with GPUs
    ```

    `-o json` prints a `GpuModelList` or an `InstanceTypeList`.
    """
    from gpus.catalog import load_catalog

    catalog = load_catalog()
    by_name = {known.value: offered for known, offered in catalog.instance_types.items()}
    types = list(by_name.get(name or "", {}).values())
    models = [] if types else _models(catalog, name)
    if output is Output.JSON:
        kind = ReportKind.INSTANCE_TYPES if types else ReportKind.GPU_MODELS
        print_report(kind, {"items": [_fields(row) for row in types or models]})
    else:
        headers = _TYPE_HEADERS if types else _MODEL_HEADERS
        rows = (*map(_type_row, types), *map(_model_row, models))
        print_table(Table(headers, rows, words=len(headers)))


def _models(catalog: "Catalog", name: str | None) -> "list[GpuModel]":
    from gpuplane.model_name import whole_model_name
    from gpuplane.versions.tree import DistError, unknown
    from gpus.provider import Provider

    if name is None:
        return list(catalog.models.values())
    name = whole_model_name(name, catalog.models)
    if name in catalog.models:
        return [catalog.models[name]]
    if name == Provider.ONPREM:
        raise DistError(
            f"{name} has no instance types: its pools state gpu, gpus, cpu and memory of a machine "
            "(docs/hardware.md); gpuplane hardware lists the GPU models"
        )
    providers = [known.value for known in catalog.instance_types]
    raise unknown("provider or GPU model", name, [*providers, *catalog.models])


def _model_row(model: "GpuModel") -> Row:
    return (
        model.name,
        model.vendor,
        f"{model.memory_mib / 1024:.0f} GiB",
        "yes" if model.nvlink else "",
        "yes" if model.mps else "",
        model.host_architecture,
        _driver(model),
        ", ".join(f"{name} ({count})" for name, count in _profiles(model).items()),
    )


def _type_row(one: "InstanceType") -> Row:
    return (
        one.name,
        one.gpu,
        str(one.gpus),
        str(one.cpu),
        f"{one.memory_gib:g} GiB",
        f"{one.network_gbps:g}",
        f"{one.rdma} x {one.rdma_interfaces}" if one.rdma else "",
        f"{one.local_nvme_gib} GiB" if one.local_nvme_gib else "",
    )


def _driver(model: "GpuModel") -> str:
    """Return the branches of NVIDIA's driver, and the kernel module where there is but one."""
    if model.driver is None:
        return ""
    kinds = model.driver.kernel_modules
    return f"{model.driver}, {kinds[0]}" if len(kinds) == 1 else str(model.driver)


def _profiles(model: "GpuModel") -> dict[str, int]:
    return {profile.name: profile.max_count for profile in model.mig.profiles} if model.mig else {}


def _fields(row: "GpuModel | InstanceType") -> dict[str, Any]:
    """Return a row as JSON; a model's MIG geometry as its profiles and the maximum of each."""
    fields = {name: value for name, value in asdict(row).items() if name not in _NOT_PRINTED}
    if fields.get("driver"):
        fields["driver"] = camel_case(fields["driver"])
    if "mig" in fields:
        fields["mig"] = _profiles(row)  # type: ignore[arg-type]  # only a model has it
    return camel_case(fields)
