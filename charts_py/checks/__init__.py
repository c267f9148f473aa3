"""What a cluster file must fulfil beyond its format; one topic per file.

Each check takes what could be read of a cluster and yields its problems; `CHECKS` and
`CHECKS_OF_PROVIDER` list them all, besides those of a single provider or component.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from charts_py.checks.custom_rules import check_custom_fixes, check_custom_rules
from charts_py.checks.hardware import (
    check_cost,
    check_device_plugin,
    check_driver,
    check_hardware,
    check_vgpu,
)
from charts_py.checks.placement import (
    check_node_range,
    check_placement,
    check_pods,
    check_region,
    check_reservation,
)
from charts_py.checks.policies import check_exempt, check_policies, check_registries
from charts_py.checks.provider_settings import (
    check_features,
    check_network_policy_engine,
    check_promotion,
    check_provider_settings,
    check_versions,
)
from charts_py.checks.queues import check_multi_kueue, check_queues
from charts_py.checks.references import check_members, check_names, check_quotas, check_references
from charts_py.checks.sharing import check_sharing
from charts_py.checks.without_effect import check_monitoring, check_without_effect
from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft

Check: TypeAlias = Callable[[Draft], Iterable[Problem]]

CHECKS: tuple[Check, ...] = (
    check_versions,
    check_promotion,
    check_names,
    check_features,
    check_node_range,
    check_references,
    check_members,
    check_quotas,
    check_queues,
    check_multi_kueue,
    check_custom_rules,
    check_custom_fixes,
    check_policies,
    check_exempt,
    check_registries,
)

CHECKS_OF_PROVIDER: tuple[Check, ...] = (
    check_provider_settings,
    check_region,
    check_network_policy_engine,
    check_driver,
    check_monitoring,
    check_hardware,
    check_vgpu,
    check_device_plugin,
    check_placement,
    check_reservation,
    check_sharing,
    check_pods,
    check_cost,
    check_without_effect,
)
"""Run where the provider is known."""


def find_problems(draft: Draft, others: Iterable[Check]) -> Iterator[Problem]:
    """Yield what the checks find, without what merely follows from a part that could not be read.

    `others` are the checks of providers and components.
    """
    of_provider = (*CHECKS_OF_PROVIDER, *others)
    for check in (*CHECKS, *(of_provider if draft.is_read(("provider",)) else ())):
        yield from (problem for problem in check(draft) if draft.is_read(problem.path))
