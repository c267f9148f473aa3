"""What a process takes at its peak, and how that grows with what a cluster holds."""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import psutil

_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
"""The most that was ever resident (proc_pid_status(5))."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a cluster holds, or what a program is told of it."""

    nodes: int = 0
    pods: int = 0
    """Those of no job."""
    jobs: int = 0
    """Each with its pod and its Service."""
    namespaces: int = 0
    copies: int = 0
    """Of what a release has in namespaces, which an Application keeps."""


COUNTS = tuple(Size.__slots__)


@dataclass(frozen=True, slots=True)
class Peak:
    """What a component had taken by then, on a cluster of a size."""

    component: str
    size: Size
    mebibytes: float
    cpu_seconds: float


def child(name: str) -> psutil.Process:
    """Return the process of this one that runs a program, or a part of Argo CD."""
    (found,) = (
        each
        for each in psutil.Process().children()
        if name in (Path(each.exe()).name, each.environ().get("ARGOCD_BINARY_NAME"))
    )
    return found


def peak_of(component: str, size: Size, processes: Sequence[psutil.Process]) -> Peak:
    """Return the sum of the peaks of the processes that a component consists of."""
    statuses = [Path(f"/proc/{each.pid}/status").read_text() for each in processes]
    kibibytes = sum(int(found) for text in statuses for found in _PEAK.findall(text))
    times = [each.cpu_times() for each in processes]
    return Peak(component, size, kibibytes / 1024, sum(each.user + each.system for each in times))


def rows(peaks: Sequence[Peak], limits: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield component, counts, MiB, seconds of CPU, limit in MiB and the share of it.

    The limits are in bytes; the last two are empty for a component without one.
    """
    for each in sorted(peaks, key=lambda peak: peak.component):
        taken = [f"{each.mebibytes:.0f}", f"{each.cpu_seconds:.1f}"]
        counts = [str(count) for count in astuple(each.size)]
        yield [each.component, *counts, *taken, *_limit(each, limits.get(each.component))]


def _limit(peak: Peak, limit: int | None) -> list[str]:
    if limit is None:
        return ["", ""]
    return [f"{limit / 2**20:.0f}", f"{peak.mebibytes * 2**20 / limit:.0%}"]


@dataclass(frozen=True, slots=True)
class Growth:
    """The line through the peaks of a component between which only one count differs."""

    component: str
    count: str
    base: float
    """MiB, at none."""
    slope: float
    """KiB for each."""


def growths(peaks: Sequence[Peak]) -> list[Growth]:
    """Return a line for each count of which a component was measured at several."""
    lines = []
    for component in dict.fromkeys(each.component for each in peaks):
        own = [each for each in peaks if each.component == component]
        lines += [line for count in COUNTS for line in _lines(own, count)]
    return lines


def _lines(peaks: Sequence[Peak], count: str) -> list[Growth]:
    alike: dict[tuple[int, ...], list[Peak]] = {}
    for each in peaks:
        alike.setdefault(astuple(replace(each.size, **{count: 0})), []).append(each)
    return [_line(each, count) for each in alike.values() if len(each) > 1]


def _line(peaks: Sequence[Peak], count: str) -> Growth:
    counts = [getattr(each.size, count) for each in peaks]
    line = statistics.linear_regression(counts, [each.mebibytes for each in peaks])
    return Growth(peaks[0].component, count, line.intercept, line.slope * 1024)
