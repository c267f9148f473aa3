"""Pods that serve metrics in Prometheus' text format, as a test says; of them NVIDIA's exporter.

https://prometheus.io/docs/instrumenting/exposition_formats/; labels of a GPU and their order:
`internal/pkg/rendermetrics` in https://github.com/NVIDIA/dcgm-exporter at 4.5.3-4.8.2; its counters
are those of the platform's file.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeAlias

from charts_py.metrics.series import known_series
from tests.e2e.monitoring.loopback import Reply

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


Row: TypeAlias = tuple[str, Mapping[str, str]]
"""Name and labels of a series."""


@dataclass(slots=True)
class Exporter:
    """What a pod serves now; a test changes it while it is scraped."""

    rows: dict[str, float] = field(default_factory=dict)
    """Values by series."""
    head: str = ""
    """Type and meaning of its metrics."""
    answers: bool = True

    def set(self, name: str, value: float, **labels: str) -> None:
        self.rows[series(name, labels)] = value

    def reply(self) -> Reply:
        """Return what is answered to a scrape."""
        if not self.answers:
            return Reply("", HTTPStatus.SERVICE_UNAVAILABLE)
        rows = (f"{row} {value:g}\n" for row, value in tuple(self.rows.items()))
        return Reply(self.head + "".join(rows))


@dataclass(frozen=True, slots=True)
class Exporters:
    """Those of a cluster, by the name of their pod, which is the path at which each is scraped."""

    pods: Mapping[str, Exporter]

    def answer(self, path: str, _: bytes) -> Reply:
        """Return what the pod answers that a path names."""
        pod = self.pods.get(path.removeprefix("/"))
        return pod.reply() if pod else Reply("", HTTPStatus.NOT_FOUND)


def series(name: str, labels: Mapping[str, str]) -> str:
    return f"{name}{{{','.join(_pairs(labels))}}}"


def _pairs(labels: Mapping[str, str]) -> Iterable[str]:
    yield from (f'{label}="{value}"' for label, value in labels.items())


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
