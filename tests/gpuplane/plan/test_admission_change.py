"""Who judges pods from now on."""

from dataclasses import replace

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.platform.platform import Platform
from gpuplane.plan.admission_change import admission_clauses
from tests.charts_py.fixture_types import PlatformWith
from upstream.kubernetes_version import KubernetesVersion

OLDER, NEWER = KubernetesVersion.V1_35, KubernetesVersion.V1_36
API_SERVER = (
    "the API server judges pods on sample by policies of its own where the webhook does not answer"
)
WEBHOOK = "only the webhook judges pods on sample, and they pass where it does not answer"
ALONE = "the API server fixes and judges pods on sample by policies of its own, and no webhook does"


def _platform(platform: Platform, version: KubernetesVersion, stated: Admission | None) -> Platform:
    policies = platform.cluster.policies.model_copy(update={"admission": stated})
    asked = {"kubernetes": version, "policies": policies}
    return replace(platform, cluster=platform.cluster.model_copy(update=asked))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((NEWER, None), (NEWER, Admission.BACKSTOP), []),
        ((OLDER, None), (OLDER, Admission.WEBHOOK_ONLY), []),
        pytest.param(
            (OLDER, None), (NEWER, None), [(API_SERVER, ("kubernetes",))], id="by default"
        ),
        (
            (NEWER, Admission.WEBHOOK_ONLY),
            (NEWER, Admission.BACKSTOP),
            [(API_SERVER, ("policies", "admission"))],
        ),
        ((NEWER, None), (NEWER, Admission.WEBHOOK_ONLY), [(WEBHOOK, ("policies", "admission"))]),
        ((NEWER, None), (NEWER, Admission.IN_TREE_ONLY), [(ALONE, ("policies", "admission"))]),
    ],
)
def test_others_who_judge_pods_are_told(
    platform_after: PlatformWith,
    before: tuple[KubernetesVersion, Admission | None],
    after: tuple[KubernetesVersion, Admission | None],
    told: list[tuple[str, tuple[str, ...]]],
) -> None:
    platform = platform_after("eks")
    old, new = (_platform(platform, *each) for each in (before, after))
    assert [(each.text, each.field) for each in admission_clauses(old, new)] == told
