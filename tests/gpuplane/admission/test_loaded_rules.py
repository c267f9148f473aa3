import shutil
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.admission.loaded_rules import cluster_engine
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of

CLUSTERS = Path(__file__).parents[3] / "clusters"


def test_the_settings_are_those_of_the_cluster() -> None:
    platform = load_platform(CLUSTERS / "training.yaml", CLUSTERS / "fleet.yaml")
    assert cluster_engine(CLUSTERS, "training").settings == policy_settings(platform)


def test_a_fault_of_another_cluster_is_none_of_this_one(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("[", encoding="utf-8")
    for name in ("training.yaml", "fleet.yaml"):
        shutil.copyfile(CLUSTERS / name, tmp_path / name)
    assert cluster_engine(tmp_path, "training").settings.cluster == "training"
    with pytest.raises(SpecError):
        cluster_engine(tmp_path, "broken")


def test_an_unknown_cluster_is_named_with_the_nearest() -> None:
    assert message_of(DistError, cluster_engine, CLUSTERS, "trainin") == (
        f'unknown cluster "trainin" in {CLUSTERS}; allowed: inference, mixed, onprem, training; '
        "nearest: training"
    )
