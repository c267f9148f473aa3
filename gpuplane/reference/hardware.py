"""The reference of the GPU models that cluster files may name."""

from gpuplane.reference import introduction, table_row
from gpus.catalog import load_catalog
from gpus.model import GpuModel

_HEADER = (
    "| Model | Architecture | Compute capability | Memory | NVLink | NVLink domain | Driver "
    "| Kernel modules | Host CPU | MIG profiles |\n|---|---|---|---|---|---|---|---|---|---|"
)


def hardware_reference() -> str:
    models = load_catalog().models.values()
    return "\n".join([introduction("hardware"), _HEADER, *map(_row, models), ""])


def _row(model: GpuModel) -> str:
    profiles = model.mig.profiles if model.mig else ()
    return table_row(
        f"`{model.name}`",
        model.architecture,
        model.compute_capability or "",
        f"{model.memory_mib / 1024:.0f} GiB",
        "yes" if model.nvlink else "",
        str(model.nvlink_domain or ""),
        str(model.driver or ""),
        ", ".join(model.driver.kernel_modules) if model.driver else "",
        model.host_architecture,
        ", ".join(profile.name for profile in profiles),
    )
