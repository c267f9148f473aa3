"""All warnings of a cluster file, besides those of a single provider or component."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning
from charts_py.warnings.expired_exceptions import warn_of_expired_exceptions
from charts_py.warnings.holds_over import warn_of_holds_that_are_over
from charts_py.warnings.other_folder import warn_of_other_folder
from charts_py.warnings.quota_capacity import warn_of_quota_capacity
from charts_py.warnings.unnamed_reservation import warn_of_unnamed_reservation
from charts_py.warnings.unpriced_budget import warn_of_unpriced_budget
from charts_py.warnings.without_effect import warn_of_settings_without_effect

Warn: TypeAlias = Callable[[Platform], Iterable[ClusterWarning]]

WARNINGS: tuple[Warn, ...] = (
    warn_of_unnamed_reservation,
    warn_of_quota_capacity,
    warn_of_expired_exceptions,
    warn_of_holds_that_are_over,
    warn_of_other_folder,
    warn_of_unpriced_budget,
    warn_of_settings_without_effect,
)


def find_warnings(platform: Platform) -> tuple[ClusterWarning, ...]:
    """Return the warnings about a platform, each with the day from which it holds."""
    return tuple(warning for warn in WARNINGS for warning in warn(platform))
