"""What is over after a day."""

from collections.abc import Iterator

from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_expired_exceptions(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for the days after each exception, when its rule applies again."""
    for index, exception in enumerate(platform.cluster.policies.exceptions):
        path = ("policies", "exceptions", index, "expires")
        what = f"{exception.expires} is over, so that {exception.rule} applies again"
        allowed = "a later day, or no exception"
        yield ClusterWarning(platform.fault(path, what, allowed), after=exception.expires)


def warn_of_holds_that_are_over(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for the days after a hold, when versions go live again."""
    if (hold := platform.cluster.promotion.hold) is not None:
        what = f"{hold.until} is over, so that versions go live again"
        fault = platform.fault(("promotion", "hold", "until"), what, "a later day, or no hold")
        yield ClusterWarning(fault, after=hold.until)
