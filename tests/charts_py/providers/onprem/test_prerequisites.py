"""What a cluster of one's own machines has before its first sync."""

from __future__ import annotations

from pathlib import Path

from gpuplane.reference.prerequisites_page import known_prerequisites

PREREQUISITES = known_prerequisites().providers["onprem"]
DOCS = Path(__file__).parents[4] / "docs" / "versions.md"
TITLE = "Share the GPUs of your own machines in another way"


def test_gpus_are_partitioned_only_while_nothing_uses_them() -> None:
    """And only once (mig-parted v0.15.0 cmd/nvidia-mig-manager/main.go: no retry)."""
    (drained,) = (each for each in PREREQUISITES if "drained" in each.name)
    anchor = TITLE.lower().replace(" ", "-")
    assert f"(versions.md#{anchor})" in drained.name
    assert "`failed`" in drained.without
    section = DOCS.read_text(encoding="utf-8").partition(f"## {TITLE}\n")[2].partition("\n## ")[0]
    assert "kubectl drain --selector gpuplane.io/pool=" in section
    assert (
        "kubectl delete pod --namespace gpu-operator --selector app=nvidia-mig-manager" in section
    )
