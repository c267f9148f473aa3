"""The metrics of the admission webhook, with what it says of them itself (`webhook/metrics.py`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebhookMetric:
    """A metric, as Prometheus names it."""

    name: str
    help: str


REQUESTS = WebhookMetric(
    "gpuplane_webhook_requests_total",
    "Reviews answered, by `path` and by the status inside the answer, `code`",
)
REQUEST_SECONDS = WebhookMetric(
    "gpuplane_webhook_request_seconds_bucket",
    "Histogram of the time from the headers of a review to its answer, by `path`",
)
DECISIONS = WebhookMetric(
    "gpuplane_webhook_decisions_total",
    "Findings that were not fixed, by `rule` and `decision`: denied, warned, audited or failed",
)
FIXES = WebhookMetric("gpuplane_webhook_fixes_total", "Findings that were fixed, by `rule`")
VERDICTS = WebhookMetric(
    "gpuplane_webhook_verdicts_total",
    "New pods that were judged at `/admit`, by the hash `judged_by` with which the webhook vouches "
    "for them, empty where something is wrong",
)
SETTINGS = WebhookMetric(
    "gpuplane_webhook_settings_info",
    "1 for the settings in force, which `digest` names, of `cluster`",
)
SETTINGS_LOADED = WebhookMetric(
    "gpuplane_webhook_settings_loaded_timestamp_seconds", "When the settings in force were read"
)
CERTIFICATE_EXPIRY = WebhookMetric(
    "gpuplane_webhook_certificate_expiry_timestamp_seconds",
    "When the certificate in force expires",
)
RELOAD_FAILING = WebhookMetric(
    "gpuplane_webhook_reload_failing",
    "1 while the last good version is kept, by `what` is broken",
)

WEBHOOK_METRICS = (
    REQUESTS,
    REQUEST_SECONDS,
    DECISIONS,
    FIXES,
    VERDICTS,
    SETTINGS,
    SETTINGS_LOADED,
    CERTIFICATE_EXPIRY,
    RELOAD_FAILING,
)
