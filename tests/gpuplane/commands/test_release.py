"""`gpuplane release`."""

import shutil
from pathlib import Path

import pytest

from gpuplane.versions.tree import read_tree
from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.release.conftest import RenderedChain, rendered_chain

__all__ = ["rendered_chain"]


@pytest.fixture
def chain(rendered_chain: RenderedChain, tmp_path: Path) -> RenderedChain:
    """Training has another quota than in 1.2.0, which is released."""
    shutil.copytree(rendered_chain.directory, tmp_path, dirs_exist_ok=True)
    chain = RenderedChain(tmp_path)
    chain.write("training", version="1.2.0", live="1.1.0", gpus=24)
    return chain


def test_a_dry_run_shows_what_would_be_cut(chain: RenderedChain, in_repository: Run) -> None:
    before = read_tree(chain.directory)
    (release,) = in_repository.report("release", "training", "--dry-run")["items"]
    changelog = release.pop("changelog")
    assert release == fields(
        "cluster: training, previous: 1.2.0, version: 1.2.1, verdict: safe, live: 1.1.0, pruned: []"
    )
    assert changelog.startswith("### Changed\n\n- **")
    assert read_tree(chain.directory) == before


def test_what_is_cut_is_shown(chain: RenderedChain, in_repository: Run) -> None:
    first, second, *_, last = in_repository.printed("release", "training").splitlines()
    assert (first, second, last) == (
        "training: 1.2.0 -> 1.2.1 cut: 3 changed; safe",
        "  1.1.0 stays live; next: gpuplane promote training",
        "commit clusters/, dist/ and changelogs/ together",
    )
    assert (chain.directory / "changelogs" / "training.md").is_file()
