"""The reference of the GPU models that cluster files may name."""

from gpus.catalog import load_catalog
from gpus.model import GpuModel

_INTRODUCTION = """\
# Hardware

The GPU models that `pools.NAME.gpu` may name, and what follows from each. `gpuplane hardware` lists
them too, and `gpuplane hardware eks` the instance types of a provider, which bring their GPU.

The driver is a range of branches, the first number of `driver.version`, or begins with a version
where the first ones of its branch do not drive the GPU. Where the GPU operator installs it, a
version or a kernel module that does not support every pool is an error. GPUs whose host
CPU is arm64 run images for arm64 alone. The compute capability is what CUDA code is compiled for.
An NVLink domain joins that many GPUs at most, across machines.
"""

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
    return "\n".join([_INTRODUCTION, header, f"|{'---|' * len(_COLUMNS)}", *rows, ""])


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
