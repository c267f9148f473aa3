"""Holds on a version that hold it no longer."""

from collections.abc import Iterator

from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_holds_that_are_over(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for the days after a hold, on which versions go live again."""
    if (hold := platform.cluster.promotion.hold) is not None:
        what = f"{hold.until} is over, so that versions go live again"
        fault = platform.fault(("promotion", "hold", "until"), what, "a later day, or no hold")
        yield ClusterWarning(fault, after=hold.until)
