"""Exceptions from rules that apply no longer."""

from collections.abc import Iterator

from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_expired_exceptions(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for the days after each exception, on which its rule applies again."""
    for index, exception in enumerate(platform.cluster.policies.exceptions):
        path = ("policies", "exceptions", index, "expires")
        what = f"{exception.expires} is over, so that {exception.rule} applies again"
        allowed = "a later day, or no exception"
        yield ClusterWarning(platform.fault(path, what, allowed), after=exception.expires)
