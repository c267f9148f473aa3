"""What is likely not meant in a platform, or cannot run: what `gpuplane synth` warns of."""

import datetime as dt
import warnings
from collections.abc import Iterable

from charts_py.cluster_file.fault import Fault
from charts_py.components.registry import component_warnings
from charts_py.constructs.fields import in_python
from charts_py.platform.placeholder import is_placeholder
from charts_py.platform.platform import Platform
from charts_py.warnings import find_warnings
from charts_py.warnings.cluster_warning import ClusterWarning
from policies.admission import today


class PlatformWarning(UserWarning):
    """The category of what a GpuPlatform warns of, for the filters of Python's `warnings`."""


def warnings_of(platform: Platform) -> tuple[ClusterWarning, ...]:
    """Return those about its file, and those of its components."""
    return (*find_warnings(platform), *map(ClusterWarning, component_warnings(platform)))


def told_on(found: Iterable[ClusterWarning], day: dt.date | None) -> tuple[Fault, ...]:
    """Return what is to be shown on a day, once each, in the order of the lines."""
    faults = dict.fromkeys(each.fault for each in found if each.holds(day))
    return tuple(sorted(faults, key=lambda fault: fault.mark))


def placeholders_left(platforms: Iterable[Platform]) -> tuple[Fault, ...]:
    """Return the fields that nobody has set yet, in the order of the files."""
    faults = (each.fault for platform in platforms for each in warnings_of(platform))
    return tuple(sorted(dict.fromkeys(filter(is_placeholder, faults)), key=lambda each: each.mark))


def warn_of(platform: Platform) -> None:
    """Warn of what holds today; raises PlatformWarning where a filter makes an error of it."""
    for each in warnings_of(platform):
        if each.holds(today()):
            fault = each.fault if each.fault.mark.line else in_python(each.fault)
            warnings.warn(str(fault), PlatformWarning, stacklevel=1)
