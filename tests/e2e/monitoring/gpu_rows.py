"""What NVIDIA's exporter serves of a node's GPUs.

Labels and their order: `internal/pkg/rendermetrics` in https://github.com/NVIDIA/dcgm-exporter at
4.5.3-4.8.2; its counters are those of the platform's file.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from charts_py.metrics.series import known_series
from tests.e2e.monitoring.exporters import Exporter

COUNTERS = known_series().dcgm
_WELL = {
    "DCGM_FI_DEV_GPU_UTIL": 95,
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": 0.95,
    "DCGM_FI_PROF_SM_ACTIVE": 0.8,
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": 0.4,
    "DCGM_FI_DEV_FB_USED": 40_000,
    "DCGM_FI_DEV_FB_FREE": 41_000,
    "DCGM_FI_DEV_GPU_TEMP": 55,
    "DCGM_FI_DEV_MEMORY_TEMP": 60,
    "DCGM_FI_DEV_GPU_TEMP_LIMIT": 32,
    "DCGM_FI_DEV_POWER_USAGE": 600,
    "DCGM_FI_DEV_ENFORCED_POWER_LIMIT": 700,
    "DCGM_FI_DEV_SM_CLOCK": 1_980,
}
"""What is counted of a GPU that works; all else, which would be errors, is 0."""
_DRIVER_VERSION = "595.91.07"
_MODEL = "NVIDIA H100 80GB HBM3"


@dataclass(frozen=True, slots=True)
class ScrapedGpu:
    """A GPU, and who uses it."""

    node: str
    index: int
    pod: Mapping[str, str]
    """`container`, `namespace` and `pod`; empty where nobody does."""

    @property
    def labels(self) -> dict[str, str]:
        """Those of each of its rows."""
        return {
            "gpu": f"{self.index}",
            "UUID": f"GPU-{self.node}-{self.index}",
            "pci_bus_id": f"00000000:{self.index:02X}:00.0",
            "device": f"nvidia{self.index}",
            "modelName": _MODEL,
            "Hostname": self.node,
            "DCGM_FI_DRIVER_VERSION": _DRIVER_VERSION,
            **self.pod,
        }


def gpu_exporter(gpus: Iterable[ScrapedGpu]) -> Exporter:
    """Return the exporter of a node, whose GPUs work and are well."""
    exporter = Exporter(head="".join(_head()))
    for gpu in gpus:
        for counter in COUNTERS:
            exporter.set(counter.name, _WELL.get(counter.name, 0), **gpu.labels)
    return exporter


def _head() -> Iterator[str]:
    for counter in COUNTERS:
        yield f"# HELP {counter.name} {counter.help}\n"
        yield f"# TYPE {counter.name} {counter.type}\n"
