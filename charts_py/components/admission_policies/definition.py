"""What the API server itself refuses, in CEL, so that it holds while no webhook answers.

A webhook that does not answer is passed over, and with it what it adds. Where a pod could then take
the GPUs of others, the API server refuses it: pods of a namespace that may use some of the pools
that offer a resource, unless they select those. The webhook makes all pods select them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.admission_policies.granted_pools import granted_pools_policies
from charts_py.components.admission_policies.grants import grants_of
from charts_py.components.definition import Definition
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _is_wanted(platform: Platform) -> bool:
    return platform.cluster.webhook.enabled and bool(grants_of(policy_settings(platform)))


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.admission_policies.construct import AdmissionPolicies

    policies = tuple(granted_pools_policies(policy_settings(platform)))
    return lambda scope: AdmissionPolicies(scope, "admission-policies", policies)


ADMISSION_POLICIES = Definition(
    name="admission-policies",
    description=__doc__,
    appears="with the webhook, where a quota cannot tell the pools apart that offer a resource, "
    "and the rule granted-pools is enforced",
    is_wanted=_is_wanted,
    fields=("webhook.enabled", "teams", "pools", "policies"),
    depends_on=("webhook",),
    wave=Wave.ADMISSION_CONFIGURATION,
    construct=_construct,
)
