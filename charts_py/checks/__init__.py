"""What a cluster file must fulfil beyond its form; one topic a file.

`CHECKS` lists them all; each takes what could be read of a cluster and yields its problems.
"""

from collections.abc import Callable, Iterable

from charts_py.checks.addons import check_addons
from charts_py.checks.draft import Draft
from charts_py.checks.driver import check_driver
from charts_py.checks.extensions import check_extensions
from charts_py.checks.features import check_features
from charts_py.checks.names import check_names
from charts_py.checks.node_range import check_node_range
from charts_py.checks.placement import check_placement
from charts_py.checks.pods import check_pods
from charts_py.checks.policies import check_policies
from charts_py.checks.provider_settings import check_provider_settings
from charts_py.checks.quotas import check_quotas
from charts_py.checks.references import check_references
from charts_py.checks.sharing import check_sharing
from charts_py.spec.fault import Problem

CHECKS: tuple[Callable[[Draft], Iterable[Problem]], ...] = (
    check_names,
    check_provider_settings,
    check_driver,
    check_features,
    check_node_range,
    check_placement,
    check_sharing,
    check_pods,
    check_references,
    check_quotas,
    check_policies,
    check_addons,
    check_extensions,
)
