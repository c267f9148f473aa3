import shutil
from pathlib import Path

import pytest

from gpuplane.versions.tree import read_tree
from tests.charts_py.constructs.placeholder import PLACEHOLDER
from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.release.conftest import RenderedChain, rendered_chain
from tests.gpuplane.versions.conftest import new_repository

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


IMAGE = "webhook: {image: registry.example.com/gpuplane-webhook:1}\n"


def without_image(chain: RenderedChain, live: str) -> str:
    """Let nothing name the webhook's image; return what is told of that."""
    chain.write_fleet(chain=())
    chain.write("training", version="1.2.0", live=live, gpus=24)
    file = chain.clusters / "training.yaml"
    file.write_text(file.read_text("utf-8").replace(IMAGE, ""), encoding="utf-8")
    return f"{chain.clusters}/fleet.yaml:1: webhook.image: {PLACEHOLDER.partition(': ')[2]}"


def test_what_goes_live_at_once_and_never_syncs_is_refused(
    chain: RenderedChain, in_repository: Run
) -> None:
    told = without_image(chain, live="")
    before = read_tree(chain.directory)
    assert in_repository.refused("release", "training") == (
        f"{told}; set it, as training 1.3.0 would go live with the merge, or live: none first\n"
    )
    assert read_tree(chain.directory) == before


def test_what_goes_live_later_is_warned_of_when_it_is_cut_and_promoted(
    chain: RenderedChain, in_repository: Run
) -> None:
    left = "still to be set, and named above: 1 placeholder"
    told = f"warning: {without_image(chain, live='1.1.0')}\n{left}\n"
    done = [("release", "training"), ("promote", "training"), ("promote", "--check")]
    ends = [in_repository.ended(*each) for each in done]
    assert [(code, stderr) for code, _, stderr in ends] == [(0, told)] * 3
    assert ends[-1][1] == "training: 1.1.0 -> 1.3.0\n"


def test_what_goes_live_since_no_live_is_set_is_told_with_what_keeps_it(
    chain: RenderedChain, in_repository: Run
) -> None:
    chain.write_fleet(chain=())
    chain.write("training", version="1.2.0", live="", gpus=24)
    why = f"{chain.clusters}/training.yaml does not set live; live: 1.2.0 keeps what runs"
    _, second, *_ = in_repository.printed("release", "training").splitlines()
    assert second == f"  1.2.1 goes live with the merge, as {why}"


def test_what_is_cut_is_shown(chain: RenderedChain, in_repository: Run) -> None:
    first, second, *_, last = in_repository.printed("release", "training").splitlines()
    assert (first, second, last) == (
        "training: 1.2.0 -> 1.2.1 cut: 3 changed; safe",
        "  1.1.0 stays live; next: gpuplane promote training",
        "commit clusters/, dist/ and changelogs/ together",
    )
    assert (chain.directory / "changelogs" / "training.md").is_file()


def test_clusters_of_which_the_same_is_cut_are_told_once(
    in_repository: Run, tmp_path: Path
) -> None:
    repository = new_repository(tmp_path)
    repository.render("lab")
    repository.render("other")
    repository.commit()
    for name in ("lab", "other"):
        repository.write(name, gpus=16)
    first, *others = in_repository("release", "--edited", "--dry-run").stdout.splitlines()
    assert first == "lab: 1.0.0 -> 1.0.1 would be cut: 3 changed; safe"
    assert [line for line in others if "other" in line] == [
        "  The same holds for 1 more cluster: other."
    ]
