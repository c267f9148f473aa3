from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from charts_py.spec.cluster_files import ClusterFiles, find_cluster_files
from charts_py.spec.fault import SpecError

if TYPE_CHECKING:
    from pathlib import Path


def test_clusters_are_sorted_and_the_fleet_is_none_of_them(tmp_path: Path) -> None:
    for name in ("west.yaml", "fleet.yaml", "east.yaml", "notes.md"):
        (tmp_path / name).touch()
    (tmp_path / "east.manifests").mkdir()
    assert find_cluster_files(tmp_path) == ClusterFiles(
        tmp_path / "fleet.yaml", (tmp_path / "east.yaml", tmp_path / "west.yaml")
    )


def test_a_fleet_may_be_absent(tmp_path: Path) -> None:
    (tmp_path / "east.yaml").touch()
    assert find_cluster_files(tmp_path) == ClusterFiles(None, (tmp_path / "east.yaml",))


def test_a_folder_without_cluster_files_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "fleet.yaml").touch()
    message = f"{tmp_path}: no cluster file (*.yaml other than fleet.yaml)"
    with pytest.raises(FileNotFoundError, match=f"^{re.escape(message)}$"):
        find_cluster_files(tmp_path)


def test_a_file_that_would_be_passed_over_is_a_fault(tmp_path: Path) -> None:
    for name in ("east.yaml", "west.yml", "fleet.yml"):
        (tmp_path / name).touch()
    with pytest.raises(SpecError) as caught:
        find_cluster_files(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}/fleet.yml:1: the file's name ends in .yml; allowed: .yaml\n"
        f"{tmp_path}/west.yml:1: the file's name ends in .yml; allowed: .yaml"
    )
