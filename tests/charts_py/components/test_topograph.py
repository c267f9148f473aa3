"""How topograph finds out which machines hang on which switch."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from charts_py.components.component import Component
from charts_py.components.topograph import TOPOGRAPH
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform

ON_INFINIBAND = {"gpuplane.io/interconnect": "infiniband"}


@pytest.fixture
def charted(
    platforms: Mapping[str, Platform], rendered: Callable[[Component], Sequence[Document]]
) -> dict[tuple[str, str], Any]:
    """Return what the chart renders for the sample, by kind and name."""
    (component,) = TOPOGRAPH.plan(platforms["sample-topograph"])
    return {
        (document["kind"], document["metadata"]["name"]): document
        for document in rendered(component)
    }


def test_its_daemon_runs_on_machines_with_infiniband_whatever_taints_they_carry(
    charted: dict[tuple[str, str], Any],
) -> None:
    pod = charted["DaemonSet", "topograph-node-data-broker"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert (pod["nodeSelector"], [each["key"] for each in pod["tolerations"]]) == (
        ON_INFINIBAND,
        ["nvidia.com/gpu"],
    )
    assert container["securityContext"]["privileged"] is True
    assert {"name": "sys-class", "mountPath": "/sys/class"} in container["volumeMounts"]


def test_it_is_not_installed_unless_asked_for(platforms: Mapping[str, Platform]) -> None:
    assert list(TOPOGRAPH.plan(platforms["sample-onprem"])) == []
