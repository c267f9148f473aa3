"""What edited cluster files render, without being written."""

from gpuplane.versions.edited_tree import edited_tree
from gpuplane.versions.snapshot import WorkTree
from gpuplane.versions.tree import read_tree
from tests.gpuplane.versions.conftest import Repository


def test_an_edited_tree_holds_what_rendering_would_write(repository: Repository) -> None:
    repository.render()
    repository.render("other")
    repository.write(gpus=16, version="1.1.0")
    before = read_tree(repository.dist)
    tree = edited_tree(repository.clusters, repository.dist)
    assert tree.edited == ("lab",)
    assert read_tree(repository.dist) == before
    folder, files = repository.dist / "lab", ("live-application.yaml", "1.1.0/release.json")
    read = {name: tree.read(folder / name) for name in files}
    versions, rendered = tree.folders(folder), tree.tree(folder / "1.1.0")
    repository.synth()
    assert versions == WorkTree().folders(folder) == ("1.0.0", "1.1.0")
    assert rendered == read_tree(folder / "1.1.0")
    assert read == {name: (folder / name).read_bytes() for name in files}


def test_a_cluster_that_was_never_rendered_counts_as_edited(repository: Repository) -> None:
    repository.write()
    tree = edited_tree(repository.clusters, repository.dist)
    assert (tree.edited, tree.folders(repository.dist)) == (("lab",), ("lab",))


def test_other_clusters_than_those_named_are_not_rendered(repository: Repository) -> None:
    repository.write()
    assert edited_tree(repository.clusters, repository.dist, ("other",)).edited == ()
