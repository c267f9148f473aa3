"""Alerts on the admission webhook's own errors and latency."""

from charts_py.components.webhook.server import NAME, NAMESPACE, TIMEOUT_SECONDS
from charts_py.platform.alert import Alert, Severity

_FAILED = 'gpuplane_webhook_decisions_total{decision="failed"}'
_UP = f'up{{namespace="{NAMESPACE}", job="{NAME}"}}'
FEWEST_REPLICAS = 2
ERROR_SHARE = 0.01
SLOW_SECONDS = TIMEOUT_SECONDS / 4
_EXPIRY_DAYS = 7
"""Less than what is left when cert-manager renews."""
EXPIRY_SECONDS = _EXPIRY_DAYS * 86_400

KNOWN_VERDICTS = "gpuplane_admission_policies_info"
"""The series whose label `judged_by` is the hash that the policies of the API server heed."""

DOWN = Alert(
    name="GpuplaneWebhookDown",
    expression=f"absent({_UP} == 1)",
    lasting="2m",
    severity=Severity.CRITICAL,
    summary="No replica of the admission webhook answers: GPU pods run without their fixes.",
    remedy=f"Look at the pods in {NAMESPACE}, their events first: an image that cannot be pulled,"
    " a certificate that is missing. If they are ready, Prometheus does not reach them.",
    source="Two minutes are eight scrapes at the default interval, and more than a replica takes"
    " to start.",
)
NOT_REDUNDANT = Alert(
    name="GpuplaneWebhookNotRedundant",
    expression=f"0 < sum({_UP}) < {FEWEST_REPLICAS}",
    lasting="10m",
    severity=Severity.WARNING,
    summary="Fewer than two replicas of the admission webhook answer.",
    remedy=f"Look at the pods in {NAMESPACE} that are not ready, and at what keeps the scheduler"
    " from placing them.",
    source="The fewest replicas that `webhook.replicas.min` allows are two, so that one can be"
    " drained.",
)
ERRORS = Alert(
    name="GpuplaneWebhookErrors",
    expression='sum(rate(gpuplane_webhook_requests_total{code=~"5..|429"}[5m]))'
    f" / sum(rate(gpuplane_webhook_requests_total[5m])) > {ERROR_SHARE}",
    lasting="5m",
    severity=Severity.CRITICAL,
    summary="More than 1 % of the reviews end in an error or in overload: those GPU pods run"
    " without their fixes.",
    remedy=f"Read the logs of the pods in {NAMESPACE}. With 429, which is overload, raise"
    " `webhook.replicas.max`.",
    source="99 % is the objective of the webhook: one pod of a hundred without its fixes is seen"
    " by its author, more are an outage.",
)
SLOW = Alert(
    name="GpuplaneWebhookSlow",
    expression="histogram_quantile(0.99, sum by (le)"
    f" (rate(gpuplane_webhook_request_seconds_bucket[5m]))) > {SLOW_SECONDS}",
    lasting="10m",
    severity=Severity.WARNING,
    summary=f"1 % of the reviews take more than {SLOW_SECONDS} s; the API server passes a webhook"
    " over that is too slow.",
    remedy="Look at the CPU of its pods and whether its autoscaler is at `webhook.replicas.max`;"
    " raise that, or find who creates so many pods.",
    source=f"A quarter of the {TIMEOUT_SECONDS} s that the API server waits for it.",
)
RULE_FAILED = Alert(
    name="GpuplaneWebhookRuleFailed",
    # A replica's first failure makes the series, which has not grown then; one that is back after
    # Prometheus was away is none.
    expression=f"max by (rule) (increase({_FAILED}[15m]) > 0 or ({_FAILED} unless"
    f" last_over_time({_FAILED}[1h] offset 15m))) > 0",
    lasting="0m",
    severity=Severity.WARNING,
    summary="The rule {{ $labels.rule }} failed on a pod, which passed it.",
    remedy="Its traceback stands in the logs of the webhook: report it, with the pod. A rule of"
    " your own that cannot be evaluated is yours to mend.",
    source="Any is one too many: a rule has an answer for every pod.",
)
RELOAD_FAILED = Alert(
    name="GpuplaneWebhookReloadFailed",
    expression="max by (what) (gpuplane_webhook_reload_failing) == 1",
    lasting="5m",
    severity=Severity.WARNING,
    summary="New {{ $labels.what }} of the admission webhook are broken; it goes on with the old.",
    remedy="The logs of the webhook say what is wrong with them. Broken settings: sync the"
    " Application of the webhook again. A broken certificate: look at who writes its Secret.",
    source="Five minutes are more than the kubelet takes to bring changed files to all replicas"
    " (https://kubernetes.io/docs/concepts/configuration/configmap/).",
)
SETTINGS_DIFFER = Alert(
    name="GpuplaneWebhookSettingsDiffer",
    expression="count(count by (digest) (gpuplane_webhook_settings_info == 1)) > 1",
    lasting="15m",
    severity=Severity.WARNING,
    summary="Replicas of the admission webhook decide by different settings.",
    remedy="Find the replica that stays behind by the label `digest`, and delete its pod.",
    source="A rollout of all replicas is over in less than 15 minutes.",
)
CERTIFICATE_EXPIRES = Alert(
    name="GpuplaneWebhookCertificateExpires",
    expression="min(gpuplane_webhook_certificate_expiry_timestamp_seconds) - time()"
    f" < {EXPIRY_SECONDS}",
    lasting="1h",
    severity=Severity.CRITICAL,
    summary=f"The admission webhook's certificate expires within {_EXPIRY_DAYS} days; after that"
    " GPU pods run without their fixes.",
    remedy="Where cert-manager issues it, `kubectl describe certificate` in"
    f" {NAMESPACE} says why it is not renewed; one that is given is yours to renew.",
    source="cert-manager renews it a month before it expires; a week is left to find out why not.",
)
VERDICTS_UNHEEDED = Alert(
    name="GpuplaneWebhookVerdictsUnheeded",
    expression="sum by (judged_by)"
    ' (increase(gpuplane_webhook_verdicts_total{judged_by!=""}[15m])) > 0'
    f" unless on (judged_by) {KNOWN_VERDICTS}",
    lasting="30m",
    severity=Severity.WARNING,
    summary="The admission webhook vouches for pods by {{ $labels.judged_by }}, which the policies"
    " of the API server do not know: they judge each of these pods once more.",
    remedy="Its image and what is rendered are of two versions of gpuplane: build the image of the"
    " version that renders, and name it in `webhook.image`.",
    source="Half an hour is more than a rollout of both takes; nothing but CPU of the API server"
    " is lost meanwhile.",
)
"""Only where the API server judges what the webhook does not vouch for."""

ALERTS = (
    DOWN,
    NOT_REDUNDANT,
    ERRORS,
    SLOW,
    RULE_FAILED,
    RELOAD_FAILED,
    SETTINGS_DIFFER,
    CERTIFICATE_EXPIRES,
)
