"""What a cluster on EKS has before its first sync."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuplane.reference.prerequisites_page import known_prerequisites

PREREQUISITES = known_prerequisites().providers["eks"]
DOCS = Path(__file__).parents[4] / "docs" / "eks.md"


def test_eksctl_leaves_the_device_plugin_to_the_gpu_operator() -> None:
    """`--install-nvidia-plugin` is true by default (eksctl v0.230.0 pkg/eks/tasks.go)."""
    texts = [each.name for each in PREREQUISITES] + DOCS.read_text(encoding="utf-8").splitlines()
    commands = [text for text in texts if "eksctl create nodegroup" in text]
    assert commands
    assert [text for text in commands if "--install-nvidia-plugin=false" not in text] == []


@pytest.mark.parametrize(
    ("word", "needed"),
    [
        # https://github.com/aws/karpenter-provider-aws (pkg/providers/version/version.go)
        ("1.15 on Kubernetes 1.37", "unless `eks.provisioner` is `eksctl`"),
        # Without it Karpenter hears of no interruption, and drains no node before it.
        (
            "settings.interruptionQueue",
            "for pools with `purchase: spot`, unless `eks.provisioner` is `eksctl`",
        ),
        # Karpenter replaces a drifted node before it deletes it (core v1.15.0 staticdrift.go).
        (
            "One instance more in a capacity reservation",
            "for pools with `purchase: reserved`, unless `eks.provisioner` is `eksctl`",
        ),
    ],
)
def test_karpenter_has_what_its_pools_need(word: str, needed: str) -> None:
    assert [each.needed for each in PREREQUISITES if word in each.name] == [needed]
