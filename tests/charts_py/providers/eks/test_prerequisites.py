"""What a cluster on EKS has before its first sync."""

from __future__ import annotations

from pathlib import Path

from charts_py.providers.eks.prerequisites import PREREQUISITES

DOCS = Path(__file__).parents[4] / "docs" / "eks.md"


def test_eksctl_leaves_the_device_plugin_to_the_gpu_operator() -> None:
    """`--install-nvidia-plugin` is true by default (eksctl v0.230.0 pkg/eks/tasks.go)."""
    texts = [each.name for each in PREREQUISITES] + DOCS.read_text(encoding="utf-8").splitlines()
    commands = [text for text in texts if "eksctl create nodegroup" in text]
    assert commands
    assert [text for text in commands if "--install-nvidia-plugin=false" not in text] == []
