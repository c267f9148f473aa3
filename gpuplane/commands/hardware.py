"""`gpuplane hardware`."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.commands.arguments import Json
from gpuplane.terminal import camel_case, new_table, print_json, print_table

if TYPE_CHECKING:
    from rich.table import Table

    from gpus.catalog import Catalog
    from gpus.instance_type import InstanceType
    from gpus.model import GpuModel

Seller = Annotated[
    str | None,
    typer.Argument(
        metavar="PROVIDER",
        help="A provider with instance types, such as eks; the GPU models are listed by default.",
        show_default=False,
    ),
]


def hardware(provider: Seller = None, *, as_json: Json = False) -> None:
    """List the GPU models that cluster files may name, or the instance types of a provider.

    ```console
    gpuplane hardware          # GPU models, with their MIG profiles
    gpuplane hardware gke      # instance types of GKE with GPUs
    ```

    `--json` prints a list of objects, one per model or instance type.
    """
    from gpus.catalog import load_catalog

    catalog = load_catalog()
    types = [] if provider is None else _instance_types(catalog, provider)
    if as_json:
        print_json([_as_json(row) for row in types or catalog.models.values()])
    else:
        print_table(_types_table(types) if types else _models_table(catalog))


def _instance_types(catalog: "Catalog", provider: str) -> "list[InstanceType]":
    from charts_py.release.dist_error import unknown

    for known, offered in catalog.instance_types.items():
        if known.value == provider:
            return list(offered.values())
    raise unknown("provider", provider, catalog.instance_types)


def _models_table(catalog: "Catalog") -> "Table":
    table = new_table(
        "GPU model",
        "Vendor",
        "Memory",
        "NVLink",
        "MPS",
        "Host CPU",
        "Driver",
        "MIG profiles (max per GPU)",
    )
    for model in catalog.models.values():
        table.add_row(
            model.name,
            model.vendor,
            f"{model.memory_mib / 1024:.0f} GiB",
            _mark(model.nvlink),
            _mark(model.mps),
            model.host_architecture,
            _driver(model),
            ", ".join(f"{name} ({count})" for name, count in _profiles(model).items()),
        )
    return table


def _types_table(types: "list[InstanceType]") -> "Table":
    table = new_table(
        "Instance type", "GPU", "GPUs", "CPU", "Memory", "Gbit/s", "RDMA", "Local NVMe"
    )
    for one in types:
        table.add_row(
            one.name,
            one.gpu,
            str(one.gpus),
            str(one.cpu),
            f"{one.memory_gib:g} GiB",
            f"{one.network_gbps:g}",
            f"{one.rdma} x {one.rdma_interfaces}" if one.rdma else "",
            f"{one.local_nvme_gib} GiB" if one.local_nvme_gib else "",
        )
    return table


def _mark(has: bool) -> str:
    return "yes" if has else ""


def _driver(model: "GpuModel") -> str:
    """Return the branches of NVIDIA's driver, and the kernel module where there is but one."""
    if model.driver is None:
        return ""
    kinds = model.driver.kernel_modules
    return f"{model.driver}, {kinds[0]}" if len(kinds) == 1 else str(model.driver)


def _profiles(model: "GpuModel") -> dict[str, int]:
    return {profile.name: profile.max_count for profile in model.mig.profiles} if model.mig else {}


def _as_json(row: "GpuModel | InstanceType") -> dict[str, Any]:
    """Return a row as JSON; a model's MIG geometry as its profiles and the maximum of each."""
    fields = asdict(row)
    if fields.get("driver"):
        fields["driver"] = camel_case(fields["driver"])
    if "mig" in fields:
        fields["mig"] = _profiles(row)  # type: ignore[arg-type]  # only a model has it
    return camel_case(fields)
