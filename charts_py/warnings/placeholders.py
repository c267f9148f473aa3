"""Fields that still have the placeholder of a new cluster file."""

from collections.abc import Iterator

from charts_py.platform.placeholder import unset_fields
from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_placeholders(platform: Platform) -> Iterator[ClusterWarning]:
    return map(ClusterWarning, unset_fields(platform))
