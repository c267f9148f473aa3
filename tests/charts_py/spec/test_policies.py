from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "rule: host-ipc",
            "rule: hostipc",
            (
                'sample.yaml:68: policies.exceptions[0].rule: unknown "hostipc"; allowed: '
                "gpu-count, gpu-requests-equal-limits, gpu-resource-offered, gpus-per-node, "
                "shared-gpu-count, device-claim, gpu-node-intrusion, tolerations, "
                "node-affinity, replica-spread, runtime-class, shared-memory, visible-devices, "
                "priority-class, team-labels, ld-preload, device-host-path, host-ipc, "
                "privileged, image-registry, image-tag, gpu-share, time-sliced-inference, "
                "memory-limit; nearest: host-ipc"
            ),
        ),
        (
            "eks",
            "image-tag: warn",
            "imagetag: warn",
            (
                'sample.yaml:65: policies.rules.imagetag: unknown name "imagetag"; allowed: '
                "gpu-count, gpu-requests-equal-limits, gpu-resource-offered, gpus-per-node, "
                "shared-gpu-count, device-claim, gpu-node-intrusion, tolerations, "
                "node-affinity, replica-spread, runtime-class, shared-memory, visible-devices, "
                "priority-class, team-labels, ld-preload, device-host-path, host-ipc, "
                "privileged, image-registry, image-tag, gpu-share, time-sliced-inference, "
                "memory-limit; nearest: image-tag"
            ),
        ),
    ],
)
def test_a_rule_has_a_name_that_is_known(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "[registry.example.com/]",
            "[registry.example.com]",
            (
                'sample.yaml:66: policies.registries[0]: "registry.example.com" has the wrong '
                "form; allowed: text such as registry.example.com/, matching "
                "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?(/[a-z0-9._-]+)*/$"
            ),
        ),
        (
            "eks",
            "[registry.example.com/]",
            "[https://registry.example.com/]",
            (
                'sample.yaml:66: policies.registries[0]: "https://registry.example.com/" has '
                "the wrong form; allowed: text such as registry.example.com/, matching "
                "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?(/[a-z0-9._-]+)*/$"
            ),
        ),
    ],
)
def test_a_registry_ends_in_a_slash_and_has_no_scheme(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
