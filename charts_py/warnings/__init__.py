"""All warnings of a cluster file, besides those of a single provider or component."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from charts_py.platform.placeholder import unset_fields
from charts_py.platform.platform import Platform
from charts_py.warnings import checkout, days, network, pools, purposes, quotas, without_effect
from charts_py.warnings.cluster_warning import ClusterWarning

Warn: TypeAlias = Callable[[Platform], Iterable[ClusterWarning]]


def _warn_of_placeholders(platform: Platform) -> Iterator[ClusterWarning]:
    return map(ClusterWarning, unset_fields(platform))


WARNINGS: tuple[Warn, ...] = (
    _warn_of_placeholders,
    pools.warn_of_unnamed_reservation,
    quotas.warn_of_quota_capacity,
    purposes.warn_of_purposes_without_pool,
    purposes.warn_of_services_that_take_turns,
    pools.warn_of_boards,
    network.warn_of_ignored_policies,
    network.warn_of_variables,
    days.warn_of_expired_exceptions,
    days.warn_of_holds_that_are_over,
    checkout.warn_of_other_folder,
    without_effect.warn_of_unpriced_budget,
    without_effect.warn_of_settings_without_effect,
)


def find_warnings(platform: Platform) -> tuple[ClusterWarning, ...]:
    return tuple(warning for warn in WARNINGS for warning in warn(platform))
