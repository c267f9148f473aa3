"""Which requests the API server sends to the admission webhook.

One configuration fixes pods, and before Kubernetes 1.36 names the priority class of jobs that wait
in queues. Where `policies.admission` is `webhook-only`, another refuses what is left; elsewhere the
API server does that by policies of its own, of which a call more would say nothing new. The server
is up before, in an earlier wave. A webhook that does not answer in time is skipped: it never keeps
a pod from running.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.components.admission_policies.policy import named
from charts_py.components.admission_policies.requests import writes_of
from charts_py.components.definition import Definition
from charts_py.components.webhook.server import NAME, NAMESPACE
from charts_py.components.webhook_configuration.kinds import GROUP, MUTATING, VALIDATING
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES, judged_namespaces
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from policies.in_cel.job_priority import is_unranked
from policies.in_cel.match_conditions import (
    fixed_pod_conditions,
    match_conditions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from constructs import Construct

    from charts_py.components.webhook_configuration.construct import RankedJobs
    from charts_py.platform.platform import Platform
    from policies.settings import QueuePriority

_INJECTED_BY_CERT_MANAGER = ".webhooks[]?.clientConfig.caBundle"


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.webhook_configuration.construct import (
        WebhookConfiguration,
        WebhookConfigurationProps,
    )

    settings = policy_settings(platform)
    given = platform.cluster.webhook.certificate
    inject = {"cert-manager.io/inject-ca-from": f"{NAMESPACE}/{NAME}"}
    props = WebhookConfigurationProps(
        namespace_selector=judged_namespaces(settings),
        fixed=fixed_pod_conditions(settings),
        judged=match_conditions(settings) if _judges(platform) else None,
        ca_bundle=None if given is None else given.ca_bundle_base64,
        annotations=inject if given is None else {},
        ranked=_ranked(platform, settings.queue_priority),
    )
    return lambda scope: WebhookConfiguration(scope, "webhook-configuration", props)


def _ranked(platform: Platform, priority: QueuePriority | None) -> RankedJobs | None:
    from charts_py.components.webhook_configuration.construct import RankedJobs

    is_named_in_tree = has(platform.cluster.kubernetes, Feature.MUTATING_POLICIES)
    if priority is None or not priority.jobs or is_named_in_tree:
        return None
    conditions = named({"names-no-class": is_unranked(priority)})
    return RankedJobs(TEAM_NAMESPACES, writes_of(priority.jobs), conditions)


def _judges(platform: Platform) -> bool:
    """Return whether the webhook refuses pods, since the API server does not."""
    return not platform.cluster.admission.has_policies


def _ignore_differences(platform: Platform) -> tuple[Mapping[str, Any], ...]:
    injected = platform.cluster.webhook.certificate is None
    expressions = [
        *([_INJECTED_BY_CERT_MANAGER] if injected else []),
        *platform.provider.webhook_differences,
    ]
    kinds = (MUTATING, VALIDATING) if _judges(platform) else (MUTATING,)
    return tuple(
        {"group": GROUP, "kind": kind, "jqPathExpressions": expressions}
        for kind in (kinds if expressions else ())
    )


WEBHOOK_CONFIGURATION = Definition(
    name="webhook-configuration",
    description=__doc__,
    appears="with the webhook",
    is_wanted=lambda platform: platform.cluster.admission.has_webhook,
    fields=("webhook.certificate", "policies", "queues", "kubernetes"),
    depends_on=("webhook",),
    wave=Wave.ADMISSION_CONFIGURATION,
    namespace=NAMESPACE,
    construct=_construct,
    ignore_differences=_ignore_differences,
)
