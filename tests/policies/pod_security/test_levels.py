"""What the levels of Pod Security take and refuse; the API server says the same of these pods in
`tests/e2e/in_tree/test_pod_security.py`."""

import pytest

from policies.settings import PodSecurity
from tests.policies.pod_security.judged_pods import JudgedPod, controls_of, judged_pods

PODS = judged_pods()


@pytest.mark.parametrize("level", PodSecurity)
@pytest.mark.parametrize("pod", PODS, ids=[pod.fact for pod in PODS])
def test_a_level_refuses_a_pod_for_these_controls(pod: JudgedPod, level: PodSecurity) -> None:
    assert controls_of(pod.spec, level, pod.minor) == pod.controls[level]


def test_every_control_is_tried_at_its_levels() -> None:
    refused = {
        level: frozenset[str]().union(*(pod.controls[level] for pod in PODS))
        for level in PodSecurity
    }
    assert {level.value: len(controls) for level, controls in refused.items()} == {
        "privileged": 0,
        "baseline": 12,
        "restricted": 15,
    }
