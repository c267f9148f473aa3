"""What a cluster file must fulfil beyond its format; one topic per file.

Each check takes what could be read of a cluster and yields its problems; `CHECKS` and
`CHECKS_OF_PROVIDER` list them all, besides those of a single provider or component.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from charts_py.checks import (
    custom_rules,
    hardware,
    node_marks,
    placement,
    policies,
    provider_settings,
    queues,
    references,
    sharing,
    without_effect,
)
from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft

Check: TypeAlias = Callable[[Draft], Iterable[Problem]]

CHECKS: tuple[Check, ...] = (
    provider_settings.check_versions,
    provider_settings.check_promotion,
    references.check_names,
    provider_settings.check_features,
    placement.check_node_range,
    references.check_pools,
    references.check_priorities,
    references.check_namespaces,
    references.check_members,
    references.check_quotas,
    queues.check_queues,
    queues.check_multi_kueue,
    custom_rules.check_custom_rules,
    custom_rules.check_custom_fixes,
    policies.check_shared_memory,
    policies.check_exceptions,
    policies.check_exempt,
    policies.check_registries,
)

CHECKS_OF_PROVIDER: tuple[Check, ...] = (
    provider_settings.check_provider_settings,
    placement.check_region,
    provider_settings.check_network_policy_engine,
    hardware.check_driver,
    without_effect.check_monitoring,
    hardware.check_hardware,
    hardware.check_vgpu,
    hardware.check_device_plugin,
    hardware.check_numa,
    placement.check_placement,
    placement.check_reservation,
    node_marks.check_node_marks,
    sharing.check_sharing,
    placement.check_pods,
    hardware.check_cost,
    without_effect.check_without_effect,
)
"""Run where the provider is known."""


def find_problems(draft: Draft, others: Iterable[Check]) -> Iterator[Problem]:
    """Yield what the checks find, without what merely follows from a part that could not be read.

    `others` are the checks of providers and components.
    """
    of_provider = (*CHECKS_OF_PROVIDER, *others)
    for check in (*CHECKS, *(of_provider if draft.is_read(("provider",)) else ())):
        yield from (problem for problem in check(draft) if draft.is_read(problem.path))
