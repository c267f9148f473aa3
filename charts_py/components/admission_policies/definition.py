"""What the API server itself refuses, in CEL, so that it holds while no webhook answers.

A webhook that does not answer is passed over, and with it what it adds. Where a pod could then take
the GPUs of others, the API server refuses it: GPU pods of a namespace that may use some of the
pools of a vendor's GPUs, unless they select those. The webhook makes all pods select them.

What rules refuse whose logic CEL holds, it refuses by itself, in the same words. What a rule only
warns of is left to the webhook.

It also refuses Services of teams that take addresses outside of the cluster, which no quota counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.admission_policies.external_addresses import EXTERNAL_ADDRESSES
from charts_py.components.admission_policies.granted_pools import granted_pools_policies
from charts_py.components.admission_policies.pods import pods_policies
from charts_py.components.definition import Definition
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from policies.in_cel.action import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from constructs import Construct

    from charts_py.components.admission_policies.policy import Policy
    from charts_py.platform.platform import Platform


def _policies(platform: Platform) -> Iterator[Policy]:
    settings = policy_settings(platform)
    yield EXTERNAL_ADDRESSES
    if platform.cluster.webhook.enabled:
        yield from granted_pools_policies(settings)
    # The webhook warns and audits, too; said twice, it would only be read less.
    yield from (each for each in pods_policies(settings) if each.action is Action.DENY)


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.admission_policies.construct import AdmissionPolicies

    policies = tuple(_policies(platform))
    return lambda scope: AdmissionPolicies(scope, "admission-policies", policies)


ADMISSION_POLICIES = Definition(
    name="admission-policies",
    description=__doc__,
    appears="where there is a team; what is about pools with the webhook, where a namespace may "
    "use some of the pools of a vendor's GPUs, and the rule granted-pools is enforced",
    is_wanted=lambda platform: bool(platform.cluster.teams),
    fields=("webhook.enabled", "teams", "pools", "policies"),
    depends_on=("webhook",),
    wave=Wave.ADMISSION_CONFIGURATION,
    construct=_construct,
)
