from __future__ import annotations

import pytest

from charts_py.admission.manifest_file import read_manifest_file
from charts_py.admission.unread_parts import unread_parts

CONTAINERS = "[{name: train, resources: {limits: {nvidia.com/gpu: 1}}}]"
POD = "apiVersion: v1\nkind: Pod\n"
JOB = "apiVersion: batch/v1\nkind: Job\n"
JOB_SET = "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\n"
LIST = "apiVersion: v1\nkind: List\n"


def _faults(text: str) -> list[str]:
    (one,) = read_manifest_file(text.encode(), "pod.yaml")
    return [str(fault).removeprefix("pod.yaml:") for fault in unread_parts(one)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (POD, "1: spec: missing; allowed: a mapping with containers"),
        (f"{POD}spec:\n", "3: spec: missing; allowed: a mapping with containers"),
        (f"{POD}spec: []\n", "3: spec: a list is given; allowed: a mapping"),
        (f"{POD}spec: {{}}\n", "3: spec.containers: missing; allowed: a list"),
        (
            f"{POD}spec:\n  containers: {{name: train}}\n",
            "4: spec.containers: a mapping is given; allowed: a list",
        ),
        (
            f"{POD}spec:\n  containers: [train]\n",
            '4: spec.containers[0]: "train" is a string; allowed: a mapping',
        ),
        (
            f"{POD}spec:\n  containers:\n    - resources: {{limits: [nvidia.com/gpu]}}\n",
            "5: spec.containers[0].resources.limits: a list is given; allowed: a mapping",
        ),
        (
            f"{POD}spec:\n  containers: {CONTAINERS}\n  tolerations: {{operator: Exists}}\n",
            "5: spec.tolerations: a mapping is given; allowed: a list",
        ),
        (
            f"{POD}metadata: pod\nspec: {{containers: {CONTAINERS}}}\n",
            '3: metadata: "pod" is a string; allowed: a mapping',
        ),
        (JOB, "1: spec.template: missing; allowed: a mapping with spec"),
        (
            f"{JOB}spec:\n  template:\n    containers: {CONTAINERS}\n",
            "4: spec.template.spec: missing; allowed: a mapping with containers",
        ),
        (LIST, "1: items: no value is given; allowed: a list of objects"),
        (f"{LIST}items: {{}}\n", "3: items: a mapping is given; allowed: a list of objects"),
        (f"{LIST}items: []\n", "3: items: empty; allowed: a list with at least 1 object"),
        (
            f"{LIST}items:\n  - spec: {{containers: {CONTAINERS}}}\n",
            "4: items[0]: not an object; allowed: a mapping with apiVersion and kind",
        ),
        (
            f"{LIST}items:\n  - {{apiVersion: v1, kind: Pod}}\n",
            "4: items[0].spec: missing; allowed: a mapping with containers",
        ),
        (
            f"{JOB_SET}spec: {{replicatedJobs: [{{template: {{spec: {{template: 1}}}}}}]}}\n",
            "3: spec.replicatedJobs[0].template.spec.template: 1 is a number; allowed: a mapping",
        ),
    ],
)
def test_what_no_rule_would_read_is_told_by_its_line(text: str, fault: str) -> None:
    assert _faults(text) == [fault]


@pytest.mark.parametrize(
    "text",
    [
        f"{POD}spec: {{containers: {CONTAINERS}, volumes: }}\n",
        f"{JOB}spec: {{template: {{spec: {{containers: []}}}}}}\n",
        "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec: {workloadRef: {name: api}}\n",
        "apiVersion: example.com/v1\nkind: PodTemplate\nspec: []\n",
        "apiVersion: v1\nkind: ConfigMap\n",
        f"{LIST}items: [{{apiVersion: v1, kind: ConfigMap}}]\n",
    ],
)
def test_what_is_read_or_creates_no_pods_has_no_fault(text: str) -> None:
    assert _faults(text) == []
