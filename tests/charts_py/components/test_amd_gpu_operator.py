"""AMD's GPU operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components import amd_gpu_operator
from charts_py.objects.document import EmittedKind
from charts_py.platform.wave import Wave
from upstream.lock import committed_lock

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

AMD_ALONE = """
provider: onprem
region: here
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
pools:
  mi300x:
    gpu: MI300X
    gpus: 8
    cpu: 192
    memory: 2304Gi
    purpose: training
    nodes: {min: 2, max: 2}
"""

WITHOUT_DISCOVERY = {
    "node-feature-discovery": {"enabled": False},
    "installdefaultNFDRule": True,
    "crds": {"defaultCR": {"install": False, "upgrade": False}},
    "upgradeCRD": False,
    "kmm": {"enabled": False, "watch": False},
    "remediation": {"enabled": False, "installCRDs": False},
    "draDriver": {"deviceClass": {"create": False}},
}

DAEMON_SET = EmittedKind("apps", "DaemonSet", namespaced=True)


def test_beside_nvidias_operator_it_brings_no_second_discovery(
    example: Callable[[str], Platform],
) -> None:
    (component,) = amd_gpu_operator.plan(example("onprem"))
    assert component.helm is not None
    assert component.helm.values == WITHOUT_DISCOVERY
    assert DAEMON_SET not in component.helm.kinds


def test_alone_it_brings_the_discovery_that_labels_and_taints(
    platform_of: Callable[[str], Platform],
) -> None:
    (component,) = amd_gpu_operator.plan(platform_of(AMD_ALONE))
    assert component.helm is not None
    toleration = {
        "key": "amd.com/gpu",
        "operator": "Equal",
        "value": "present",
        "effect": "NoSchedule",
    }
    assert component.helm.values == {
        **WITHOUT_DISCOVERY,
        "node-feature-discovery": {
            "enabled": True,
            "worker": {"tolerations": [toleration]},
            "master": {"enableTaints": True},
        },
    }
    assert set(component.helm.kinds) == {*amd_gpu_operator.KINDS, DAEMON_SET}


def test_it_is_the_pinned_chart(example: Callable[[str], Platform]) -> None:
    (component,) = amd_gpu_operator.plan(example("onprem"))
    assert component.helm is not None
    assert (component.name, component.wave, component.namespace) == (
        "amd-gpu-operator",
        Wave.OPERATORS,
        "amd-gpu-operator",
    )
    assert (component.helm.repository, component.helm.chart, component.helm.version) == (
        "https://rocm.github.io/gpu-operator",
        "gpu-operator-charts",
        "v1.5.1",
    )


def test_chart_and_schema_are_of_one_version() -> None:
    pinned = [file for file in committed_lock() if file.repository == "ROCm/gpu-operator"]
    assert {file.version for file in pinned} == {amd_gpu_operator.VERSION}


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed"])
def test_without_amd_gpus_there_is_none(cluster: str, example: Callable[[str], Platform]) -> None:
    assert list(amd_gpu_operator.plan(example(cluster))) == []
