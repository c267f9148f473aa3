"""The server that fixes and judges GPU pods at admission, with the facts that made the platform.

It makes no call to anybody and has no access to the API: what it knows stands in its settings,
which it reads again when Argo CD changes them. It stands in a namespace of its own, with its
certificate, its alerts, its autoscaler and a NetworkPolicy that opens one port.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.webhook.check import check_webhook
from charts_py.components.webhook.server import NAMESPACE
from charts_py.platform.additions import OwnNamespace
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from charts_py.spec.priority import PLATFORM_PRIORITY
from charts_py.spec.team import PodSecurity
from policies.settings_json import write_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.webhook.construct import Webhook, WebhookProps

    cluster = platform.cluster
    props = WebhookProps(
        spec=cluster.webhook,
        settings=write_settings(policy_settings(platform)),
        priority_class=_priority_class(platform),
        kubernetes=cluster.kubernetes,
        monitoring=cluster.addons.monitoring,
    )
    return lambda scope: Webhook(scope, "webhook", props)


def _priority_class(platform: Platform) -> str:
    """Return the platform's own rung, or the highest of a ladder that has none."""
    ladder = platform.cluster.priorities
    if PLATFORM_PRIORITY in ladder:
        return PLATFORM_PRIORITY
    return max(ladder, key=lambda name: ladder[name].value)


WEBHOOK = Definition(
    name="webhook",
    description=__doc__,
    appears="unless the cluster goes without it",
    is_wanted=lambda platform: platform.cluster.webhook.enabled,
    fields=("webhook", "policies", "addons.monitoring.interval"),
    depends_on=("priority-classes",),
    wave=Wave.ADMISSION,
    namespace=NAMESPACE,
    own_namespaces=(OwnNamespace(NAMESPACE, PodSecurity.RESTRICTED),),
    # It stands beside the server, in the wave of which it is first needed.
    needs_namespaces=lambda _: False,
    construct=_construct,
    checks=(check_webhook,),
)
