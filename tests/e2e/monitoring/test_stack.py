"""A Prometheus scrapes a cluster, evaluates its rules, and has an Alertmanager tell people."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.binaries.alertmanager import build_alertmanager
from tests.binaries.prometheus import PrometheusBinaries
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.monitoring.alertmanager import Message
from tests.e2e.monitoring.exporters import COUNTERS, ScrapedGpu, gpu_exporter, series
from tests.e2e.monitoring.rule_files import monitored_platform
from tests.e2e.monitoring.stack import (
    EXPORTER,
    FAULTS,
    IDLE_GPU,
    NODE,
    TRAINING_POD,
    USED_GPU,
    Fault,
    MonitoringStack,
    injected,
    running_stack,
)
from tests.e2e.polling import once_seen


@pytest.fixture(scope="module")
def stack(
    prometheus_binaries: PrometheusBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[MonitoringStack]:
    """Runs, has scraped everything, and nothing fires."""
    platform = monitored_platform("karpenter")
    folder = tmp_path_factory.mktemp("monitoring")
    alertmanager = build_alertmanager()
    with running_stack(
        platform, prometheus_binaries, alertmanager, folder, component_logs
    ) as running:
        scraped = len(running.exporters)
        once_seen(lambda: running.prometheus.query("up == 1"), lambda up: len(up) == scraped)
        # Until the first scrape nothing was up.
        _wait_until_firing(running, set())
        yield running


def _wait_until_firing(stack: MonitoringStack, alerts: set[str]) -> None:
    """Wait until these alerts fire, and no others."""
    once_seen(stack.prometheus.firing, lambda firing: firing == alerts, f"{alerts} fire")


def test_a_gpu_comes_with_its_node_and_pod_and_joins_what_is_known_of_them(
    stack: MonitoringStack, evidence: Evidence
) -> None:
    used, idle = stack.prometheus.query("DCGM_FI_DEV_GPU_TEMP")
    told = ("node", "namespace", "pod", "exported_namespace", "exported_pod", "exported_container")
    scraped = {"node": NODE, "namespace": "gpu-operator", "pod": EXPORTER}
    using = {f"exported_{label}": value for label, value in TRAINING_POD.items()}
    assert {label: used[label] for label in told if label in used} == {**scraped, **using}
    assert {label: idle[label] for label in told if label in idle} == scraped
    named = stack.prometheus.query('count by (__name__) ({__name__=~"DCGM_.+"})')
    assert {each["__name__"] for each in named} == {counter.name for counter in COUNTERS}
    joined = stack.prometheus.query(
        "sum by (node, label_gpuplane_io_pool) (DCGM_FI_DEV_GPU_TEMP * on (node)"
        ' group_left (label_gpuplane_io_pool) kube_node_labels{label_gpuplane_io_pool!=""})'
    )
    assert joined == [{"node": NODE, "label_gpuplane_io_pool": "h100"}]
    evidence.show(
        "What NVIDIA's exporter counts of a GPU arrives with the node of the GPU and the pod that"
        " uses it, and joins by its node what kube-state-metrics tells.",
        f"{len(named)} metrics, those of the platform's file; `node` {used['node']}, `exported_pod`"
        f" {used['exported_pod']}, pool {joined[0]['label_gpuplane_io_pool']}",
    )


def test_faults_fire_reach_whom_they_concern_and_resolve(
    stack: MonitoringStack, evidence: Evidence
) -> None:
    alerts = {fault.alert for fault in FAULTS}
    with injected(FAULTS, stack.exporters):
        _wait_until_firing(stack, alerts)
        _wait_until_told(stack, "FIRING")
    _wait_until_firing(stack, set())
    _wait_until_told(stack, "FIRING", "RESOLVED")
    evidence.show(
        "A fault in what Prometheus scrapes fires its alert and resolves it when it is gone, and"
        " Alertmanager tells both, once: a team of what is its own, and the platform of all else.",
        "; ".join(f"{fault.alert} in `{fault.channel}`" for fault in FAULTS),
    )


def test_what_follows_from_a_broken_gpu_is_not_told_beside_it(
    stack: MonitoringStack, evidence: Evidence
) -> None:
    before = len(stack.notifications.messages)

    def told() -> set[str]:
        return {each.alert for each in stack.notifications.messages[before:]}

    broken = next(fault for fault in FAULTS if fault.alert == "GpuplaneGpuNeedsReset")
    other = next(fault for fault in FAULTS if fault.alert == "GpuplaneMigLayoutFailed")
    row = series("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", IDLE_GPU.labels)
    follows = Fault("GpuplaneGpuDoubleBitErrors", EXPORTER, row)
    with injected([broken], stack.exporters):
        once_seen(told, lambda alerts: alerts == {broken.alert}, f"{broken.alert} is told")
        with injected([follows, other], stack.exporters):
            _wait_until_firing(stack, {broken.alert, follows.alert, other.alert})
            once_seen(told, lambda alerts: other.alert in alerts, f"{other.alert} is told")
        # Else the broken GPU may be well before what follows from it, which is then told.
        _wait_until_firing(stack, {broken.alert})
    _wait_until_firing(stack, set())
    assert told() == {broken.alert, other.alert}
    evidence.show(
        "Of a broken GPU Alertmanager, as the page configures it, tells once.",
        f"{follows.alert} fired and was not told beside {broken.alert}",
    )


def test_an_error_is_of_the_pod_that_held_the_gpu_and_not_of_the_next_one(
    stack: MonitoringStack, evidence: Evidence
) -> None:
    next_pod = {"container": "main", "namespace": "serving", "pod": "serve-0"}
    gpu = ScrapedGpu(NODE, USED_GPU.index, next_pod)
    exporter = stack.exporters[EXPORTER]
    well = exporter.rows
    error = series("DCGM_EXP_XID_ERRORS_COUNT", {**gpu.labels, "xid": "13"})
    exporter.rows = {**gpu_exporter([gpu, IDLE_GPU]).rows, error: 1}
    firing = 'ALERTS{alertname="GpuplaneGpuApplicationError", alertstate="firing"}'
    (alert,) = once_seen(lambda: stack.prometheus.query(firing), what="the error fires")
    exporter.rows = well
    _wait_until_firing(stack, set())
    assert (alert["namespace"], alert["pod"], alert["team"]) == (
        TRAINING_POD["namespace"],
        TRAINING_POD["pod"],
        "research",
    )
    evidence.show(
        "An error that NVIDIA's exporter counts in the row of the next pod is told to the team"
        " whose pod held the GPU before.",
        f"counted with {next_pod['pod']}, told of {alert['pod']} of team {alert['team']}",
    )


def _wait_until_told(stack: MonitoringStack, *statuses: str) -> None:
    """Wait until people were told of each fault in these statuses, once."""
    alerts = {fault.alert for fault in FAULTS}
    awaited = sorted(Message(each.channel, s, each.alert) for each in FAULTS for s in statuses)
    once_seen(
        lambda: sorted(each for each in stack.notifications.messages if each.alert in alerts),
        lambda told: told == awaited,
        f"people are told: {statuses}",
    )
