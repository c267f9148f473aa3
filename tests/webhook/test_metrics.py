import datetime as dt
import re
from pathlib import Path

import pytest

from policies.document import Document
from policies.in_cel.judged_annotation import judged_by
from tests.webhook.pods import SETTINGS, body_of, gpu_pod, request_of
from webhook.metrics import Metrics
from webhook.reviewer import Purpose, Reviewer

PAGE = Path(__file__).parents[2] / "docs" / "policies" / "metrics.md"


def test_every_metric_is_documented_and_no_other() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.MULTILINE) == [
        (f"{family.name}{'_total' if family.type == 'counter' else ''}", family.type)
        for family in Metrics().registry.collect()
    ]


def test_metrics_of_two_webhooks_stay_apart() -> None:
    one, other = Metrics(), Metrics()
    one.loaded_certificate(dt.datetime(2027, 1, 1, tzinfo=dt.UTC))
    name = "gpuplane_webhook_certificate_expiry_timestamp_seconds"
    assert one.registry.get_sample_value(name) == 1798761600.0
    assert other.registry.get_sample_value(name) == 0


@pytest.mark.parametrize(
    ("purpose", "pod", "changes", "counted"),
    [
        (Purpose.ADMIT, gpu_pod(), {}, {judged_by(SETTINGS): 1}),
        (Purpose.ADMIT, gpu_pod(hostIPC=True), {}, {"": 1}),
        (Purpose.ADMIT, gpu_pod(), {"operation": "UPDATE", "oldObject": gpu_pod()}, {}),
        (Purpose.ADMIT, gpu_pod(), {"namespace": "kube-system"}, {}),
        (Purpose.MUTATE, gpu_pod(), {}, {}),
    ],
    ids=["right", "wrong", "updated", "exempt", "judged by others"],
)
def test_a_new_pod_is_counted_by_the_hash_that_it_is_vouched_for_with(
    purpose: Purpose, pod: Document, changes: Document, counted: dict[str, int]
) -> None:
    metrics = Metrics()
    answer = Reviewer(SETTINGS).review(body_of(request_of(pod, **changes)), purpose)
    metrics.answered(f"/{purpose}", answer, 0.001)
    assert {
        sample.labels["judged_by"]: sample.value
        for family in metrics.registry.collect()
        for sample in family.samples
        if sample.name == "gpuplane_webhook_verdicts_total"
    } == counted


def test_replaced_settings_are_no_longer_in_force() -> None:
    metrics = Metrics()
    for digest in ("one", "two"):
        metrics.loaded_settings("training", digest, ())
    values = [
        metrics.registry.get_sample_value(
            "gpuplane_webhook_settings_info", {"cluster": "training", "digest": digest}
        )
        for digest in ("one", "two")
    ]
    assert values == [0, 1]


def test_failures_of_a_rule_are_counted_from_zero_before_the_first() -> None:
    metrics = Metrics()
    labels = {"rule": "gpu-count", "decision": "failed"}
    name = "gpuplane_webhook_decisions_total"
    metrics.loaded_settings("training", "one", ["gpu-count"])
    assert metrics.registry.get_sample_value(name, labels) == 0
    assert metrics.registry.get_sample_value(name, {**labels, "rule": "host-ipc"}) is None
