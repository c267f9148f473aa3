"""What objects say that others have to know."""

from typing import Any

import pytest
import yaml

from gpuplane.lint.told import told
from gpuplane.lint.told_pods import told_pods

SERVER = "{template: {spec: {containers: [{name: a, %s}]}}}"


@pytest.mark.parametrize(
    ("container", "said"),
    [
        ("ports: [{containerPort: 8000}, {containerPort: 1}]", ((1, 8000), False, ())),
        ("args: [--port, '8000']", ((8000,), False, ())),
        ("command: [sh, -c, vllm serve --port=8000]", ((8000,), False, ())),
        ("args: ['--port=$(PORT)'], ports: [{containerPort: 8000}]", ((), False, ())),
        ("ports: [{containerPort: 1, name: a}]", ((1,), False, ("a",))),
        ("ports: [{containerPort: web}]", ((), False, ())),
        (
            "readinessProbe: {httpGet: {port: 9}}, livenessProbe: {httpGet: {port: web}}",
            ((9,), False, ()),
        ),
        ("resources: {limits: {nvidia.com/gpu: 1}}", ((), True, ())),
        ("resources: {claims: [{name: gpu}]}", ((), True, ())),
        ("resources: {limits: {cpu: 1}}", ((), False, ())),
    ],
)
def test_pods_say_where_they_answer_and_whether_they_compute(container: str, said: object) -> None:
    assert told_pods(yaml.safe_load(SERVER % container)) == said


@pytest.mark.parametrize(
    ("spec", "labels"),
    [
        ({}, {}),
        ({"jobLabel": "app"}, {"job": None}),
        ({"podMetricsEndpoints": [{"relabelings": [{"targetLabel": "job"}]}]}, {"job": None}),
        ({"podMetricsEndpoints": [{"relabelings": [{"targetLabel": "node"}]}]}, {}),
    ],
)
def test_a_pod_monitor_says_whether_its_job_has_another_name(spec: Any, labels: object) -> None:
    monitor = {"apiVersion": "monitoring.coreos.com/v1", "kind": "PodMonitor", "spec": spec}
    assert [each.labels for each in told([monitor], "a.yaml")] == [labels]
