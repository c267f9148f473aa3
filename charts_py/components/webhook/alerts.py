"""Alerts on the admission webhook's own errors and latency."""

from charts_py.components.webhook.server import NAME, NAMESPACE, TIMEOUT_SECONDS
from charts_py.platform.alert import Alert

_UP = f'up{{namespace="{NAMESPACE}", job="{NAME}"}}'
_SLOW_SECONDS = TIMEOUT_SECONDS / 4
_EXPIRY_DAYS = 7
"""Less than what is left when cert-manager renews."""
_DAY_SECONDS = 86_400

ALERTS = (
    Alert(
        "GpuplaneWebhookDown",
        f"absent({_UP} == 1)",
        "2m",
        "critical",
        "No replica of the admission webhook answers: GPU pods run without their fixes.",
    ),
    Alert(
        "GpuplaneWebhookNotRedundant",
        f"sum({_UP}) < 2",
        "10m",
        "warning",
        "Fewer than two replicas of the admission webhook answer.",
    ),
    Alert(
        "GpuplaneWebhookErrors",
        'sum(rate(gpuplane_webhook_requests_total{code=~"5..|429"}[5m]))'
        " / sum(rate(gpuplane_webhook_requests_total[5m])) > 0.01",
        "5m",
        "critical",
        "More than 1 % of the reviews end in an error or in overload: those GPU pods run without"
        " their fixes.",
    ),
    Alert(
        "GpuplaneWebhookSlow",
        "histogram_quantile(0.99, sum by (le)"
        f" (rate(gpuplane_webhook_request_seconds_bucket[5m]))) > {_SLOW_SECONDS}",
        "10m",
        "warning",
        f"1 % of the reviews take more than {_SLOW_SECONDS} s; the API server passes a webhook"
        " over that is too slow.",
    ),
    Alert(
        "GpuplaneWebhookRuleFailed",
        'increase(gpuplane_webhook_decisions_total{decision="failed"}[15m]) > 0',
        "0m",
        "warning",
        "The rule {{ $labels.rule }} failed on a pod, which passed it.",
    ),
    Alert(
        "GpuplaneWebhookReloadFailed",
        "max by (what) (gpuplane_webhook_reload_failing) == 1",
        "5m",
        "warning",
        "New {{ $labels.what }} of the admission webhook are broken; it goes on with the old.",
    ),
    Alert(
        "GpuplaneWebhookSettingsDiffer",
        "count(count by (digest) (gpuplane_webhook_settings_info == 1)) > 1",
        "15m",
        "warning",
        "Replicas of the admission webhook decide by different settings.",
    ),
    Alert(
        "GpuplaneWebhookCertificateExpires",
        "min(gpuplane_webhook_certificate_expiry_timestamp_seconds) - time()"
        f" < {_EXPIRY_DAYS * _DAY_SECONDS}",
        "1h",
        "critical",
        f"The admission webhook's certificate expires within {_EXPIRY_DAYS} days; after that GPU"
        " pods run without their fixes.",
    ),
)
