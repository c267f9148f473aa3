"""The reference of the GPU models that cluster files may name."""

from gpuplane.reference import introduction
from gpus.catalog import load_catalog
from gpus.model import GpuModel

_COLUMNS = (
    "Model",
    "Architecture",
    "Compute capability",
    "Memory",
    "NVLink",
    "NVLink domain",
    "Driver",
    "Kernel modules",
    "Host CPU",
    "MIG profiles",
)


def hardware_reference() -> str:
    models = load_catalog().models.values()
    header, *rows = (f"| {' | '.join(row)} |" for row in (_COLUMNS, *map(_row, models)))
    return "\n".join([introduction("hardware"), header, f"|{'---|' * len(_COLUMNS)}", *rows, ""])


def _row(model: GpuModel) -> tuple[str, ...]:
    profiles = model.mig.profiles if model.mig else ()
    return (
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
