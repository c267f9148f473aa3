"""What edited cluster files render or have cut, without being written."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.cluster_files import list_cluster_files
from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platforms
from gpuplane.plan.json_format import plan_fields
from gpuplane.plan.markdown_format import to_markdown
from gpuplane.plan.plan import Plan
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.release.edited_tree import edited_tree, older_lines
from gpuplane.release.release import ReleaseRequest, plan_release, release
from gpuplane.versions.base import find_base
from gpuplane.versions.main_branch import RepositoryRequest
from gpuplane.versions.record import PROVENANCE_FILE
from gpuplane.versions.snapshot import WorkTree
from gpuplane.versions.tree import read_tree
from tests.gpuplane.release.conftest import NOW, RenderedChain
from tests.gpuplane.versions.conftest import Repository, new_repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return new_repository(tmp_path)


def test_an_edited_tree_holds_what_rendering_would_write(repository: Repository) -> None:
    repository.render()
    repository.render("other")
    repository.write(gpus=16, version="1.1.0")
    before = read_tree(repository.dist)
    tree = edited_tree(repository.clusters, repository.dist)
    assert (tree.edited, tree.cut) == (("lab",), ())
    assert read_tree(repository.dist) == before
    held = _held(tree, repository.dist)
    repository.synth()
    assert held == _held(WorkTree(), repository.dist)


def test_a_cluster_that_was_never_rendered_counts_as_edited(repository: Repository) -> None:
    repository.write()
    tree = edited_tree(repository.clusters, repository.dist)
    assert (tree.edited, tree.folders(repository.dist)) == (("lab",), ("lab",))


def test_other_clusters_than_those_named_are_not_rendered(repository: Repository) -> None:
    repository.write()
    assert edited_tree(repository.clusters, repository.dist, ("other",)).edited == ()


LIVE = pytest.mark.parametrize("live", ["1.1.0", "1.2.0", ""])
"""Another version than the released one that is edited, the same, and none that is stated."""


@LIVE
@pytest.mark.parametrize("keep", [None, 0])
def test_of_a_released_version_it_holds_what_a_release_writes(
    rendered: RenderedChain, live: str, keep: int | None
) -> None:
    _edit(rendered, live)
    rendered.write_fleet("" if keep is None else f"  keep: {keep}\n", chain=["training"])
    tree = edited_tree(rendered.clusters, rendered.dist)
    assert (tree.edited, tree.cut, tree.kept) == (("training",), ("training",), ())
    held = _held(tree, rendered.dist), tree.read(rendered.clusters / "training.yaml")
    _release(rendered)
    written = _held(WorkTree(), rendered.dist)
    assert held == (written, (rendered.clusters / "training.yaml").read_bytes())


@LIVE
def test_an_edit_of_a_released_version_is_planned_as_what_its_release_does(
    rendered: RenderedChain, live: str
) -> None:
    _edit(rendered, live)
    planned = _plan(rendered, "main", edited_tree(rendered.clusters, rendered.dist))
    _release(rendered)
    released = _plan(rendered, "main")
    assert to_markdown(replace(planned, released=(), rendered_here=(), edits=released.edits)) == (
        to_markdown(released)
    )


def test_what_is_to_be_promoted_is_planned_as_what_the_promotion_does(
    rendered: RenderedChain,
) -> None:
    _edit(rendered, "1.1.0")
    (planned,) = _items(_plan(rendered, None, edited_tree(rendered.clusters, rendered.dist)))
    _release(rendered)
    rendered.commit()
    file = rendered.clusters / "training.yaml"
    promoted = file.read_text("utf-8").replace("live: 1.1.0", f"live: {planned['new']}")
    file.write_text(promoted, encoding="utf-8")
    rendered.synth()
    assert [planned | {"subject": "live"}] == _items(_plan(rendered, "main"))


def test_a_released_version_that_has_all_objects_already_is_kept(repository: Repository) -> None:
    repository.release()
    file = repository.clusters / "lab.yaml"
    stated = file.read_text("utf-8")
    file.write_text(stated.replace("datacenter-1", "datacenter-2"), encoding="utf-8")
    tree = edited_tree(repository.clusters, repository.dist)
    assert (tree.edited, tree.cut, tree.kept) == (("lab",), (), ("lab",))
    assert _older(repository) == []


def _older(repository: Repository) -> list[str]:
    platforms = load_platforms(list_cluster_files(repository.clusters))
    return [*older_lines(platforms, RepositoryRequest(repository.clusters, repository.dist))]


def test_a_command_is_named_where_it_finds_something_to_write(repository: Repository) -> None:
    said = "lab is not rendered as clusters/ has it now: run gpuplane {} lab"
    repository.write()
    assert _older(repository) == [said.format("synth")]
    repository.release()
    assert _older(repository) == []
    repository.write(gpus=16)
    assert _older(repository) == [said.format("release")]


def test_where_nothing_can_be_cut_the_command_that_says_why_is_named(
    repository: Repository,
) -> None:
    repository.release()
    repository.write(gpus=16)
    file = repository.clusters / "lab.yaml"
    patch = "{kind: Secret, name: none, operations: [{op: remove, path: /data}]}"
    text = f"{file.read_text('utf-8')}extensions: {{patches: [{patch}]}}\n"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError):
        edited_tree(repository.clusters, repository.dist)
    said = "lab is not rendered as clusters/ has it now: run gpuplane release lab"
    assert _older(repository) == [said]


def _edit(chain: RenderedChain, live: str) -> None:
    """Give the released version other objects, some of them in a namespace of another name."""
    chain.write("training", version="1.2.0", live=live, gpus=24)
    file = chain.clusters / "training.yaml"
    stated = file.read_text("utf-8")
    renamed = stated.replace("      research:\n", "      models:\n")
    assert renamed != stated
    file.write_text(renamed, encoding="utf-8")


def _release(chain: RenderedChain) -> None:
    folders = (chain.clusters, chain.dist, chain.directory / "changelogs")
    release(plan_release(ReleaseRequest(*folders, ("training",), NOW)))


def _held(tree: WorkTree, dist: Path) -> dict[str, bytes | None]:
    """Return all files of clusters in `dist` but those that say who cut a version."""
    pinned = ("live-application.yaml", "project.yaml", "root-application.yaml")
    return {
        **{
            f"{cluster}/{version}/{path}": content
            for cluster in tree.folders(dist)
            for version in tree.folders(dist / cluster)
            for path, content in tree.tree(dist / cluster / version).items()
            if path != PROVENANCE_FILE
        },
        **{
            f"{cluster}/{name}": tree.read(dist / cluster / name)
            for cluster in tree.folders(dist)
            for name in pinned
        },
    }


def _plan(chain: RenderedChain, base: str | None, here: WorkTree | None = None) -> Plan:
    compared = find_base(chain.directory, base)
    folders = (chain.clusters, chain.dist, NOW.date())
    return plan(PlanRequest(*folders, base=compared, here=here or WorkTree()))


def _items(plan: Plan) -> Any:
    return plan_fields(plan)["items"]
