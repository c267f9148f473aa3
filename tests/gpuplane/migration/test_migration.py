"""Repositories: `repository/` has the example clusters of an earlier version, and by hand."""

import shutil
from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.fault import RenderError, SpecError
from charts_py.load import load_platforms
from gpuplane.migration.migration import Migration
from tests.gpuplane.migration.conftest import CLUSTER

REPOSITORY = Path(__file__).parent / "repository"
ENABLED = (
    "webhook.enabled: has moved to policies.admission, where true is the default and false is "
    "in-tree-only"
)


@pytest.fixture
def clusters(tmp_path: Path) -> Path:
    return Path(shutil.copytree(REPOSITORY / "before", tmp_path / "clusters"))


def _contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())}


def _told(migration: Migration, clusters: Path) -> list[str]:
    return [str(fault).replace(f"{clusters}/", "") for fault in migration.undecided]


def _write(clusters: Path, **texts: str) -> None:
    shutil.rmtree(clusters)
    clusters.mkdir()
    for name, text in texts.items():
        (clusters / f"{name}.yaml").write_text(text, encoding="utf-8")


def test_clusters_of_an_earlier_version_become_those_of_this_one(clusters: Path) -> None:
    migration = Migration(clusters)
    migration.write()
    assert _contents(clusters) == _contents(REPOSITORY / "after")
    assert (migration.undecided, migration.remaining()) == ((), ())
    assert not Migration(clusters).changed
    assert len(load_platforms(find_cluster_files(clusters))) == 2


def test_the_difference_is_that_of_the_files(clusters: Path) -> None:
    lines = list(Migration(clusters, ("training",)).diff())
    assert [line for line in lines if line[0] in "-+"] == [
        "--- a/clusters/fleet.yaml",
        "+++ b/clusters/fleet.yaml",
        "-  enabled: true",
        "--- a/clusters/training.yaml",
        "+++ b/clusters/training.yaml",
        "-networkPolicyEngine: vpc-cni # with enableNetworkPolicy, which the add-on leaves off",
        "+network:",
        "+  policyEngine: vpc-cni # with enableNetworkPolicy, which the add-on leaves off",
    ]


def test_of_named_clusters_no_other_is_written(clusters: Path) -> None:
    Migration(clusters, ("training",)).write()
    before, after = (_contents(REPOSITORY / name) for name in ("before", "after"))
    assert _contents(clusters) == {**after, "inference.yaml": before["inference.yaml"]}


def test_an_unknown_cluster_is_an_error(clusters: Path) -> None:
    with pytest.raises(RenderError, match='unknown cluster "trainin"; allowed: inference, train'):
        _ = Migration(clusters, ("trainin",)).files


def test_a_value_that_the_cluster_cannot_have_is_for_a_person_to_decide(clusters: Path) -> None:
    _write(clusters, sample=f"{CLUSTER}\nwebhook:\n  enabled: false\n")
    migration = Migration(clusters)
    assert (migration.changed, _told(migration, clusters)) == (
        (),
        [
            (
                f"sample.yaml:11: {ENABLED}; Kubernetes 1.34 has no policies that fix pods "
                "(MutatingAdmissionPolicy v1); allowed: 1.36 or later"
            )
        ],
    )
    assert migration.remaining() == ()


def test_so_is_one_that_clusters_share(clusters: Path) -> None:
    _write(clusters, fleet="webhook: {enabled: false}\n", sample=CLUSTER)
    migration = Migration(clusters)
    assert (migration.changed, _told(migration, clusters)) == (
        (),
        [
            (
                f"fleet.yaml:1: {ENABLED}; Kubernetes 1.34 has no policies that fix pods "
                "(MutatingAdmissionPolicy v1); allowed: 1.36 or later"
            )
        ],
    )


def test_so_is_a_default_where_clusters_share_something_else(clusters: Path) -> None:
    _write(
        clusters,
        fleet="webhook: {enabled: false}\n",
        newer=CLUSTER.replace("1.34", "1.36"),
        sample=f"{CLUSTER}webhook: {{enabled: true}}\n",
    )
    migration = Migration(clusters)
    assert _told(migration, clusters) == [
        (
            f"sample.yaml:9: {ENABLED}, but what clusters share states in-tree-only; "
            "allowed: policies.admission in its place"
        )
    ]
    assert [one.file.name for one in migration.changed] == ["fleet.yaml"]


def test_what_else_is_wrong_is_told_at_its_line_afterwards(clusters: Path) -> None:
    _write(clusters, sample=f"networkPolicyEngine: calico\n{CLUSTER}live: 1\n")
    migration = Migration(clusters)
    migration.write()
    assert [str(fault).replace(f"{clusters}/", "") for fault in migration.remaining()] == [
        "sample.yaml:11: live: 1 is a number in YAML; quote it; allowed: a string such as 1.2.0"
    ]


def test_before_that_it_is_told_at_its_line_as_it_is(clusters: Path) -> None:
    moved = "apiServer:\n  - 10.0.0.1\n"
    _write(clusters, fleet=f"# Shared.\n{moved}", sample=f"networkPolicyEngine: calico\n{CLUSTER}")
    migration = Migration(clusters)
    what = 'network.apiServer[0]: "10.0.0.1" is not a CIDR; allowed: 10.0.0.1/32'
    for faults, line in ((migration.remaining_unwritten(), 3), (migration.remaining(), 4)):
        told = [str(fault).replace(f"{clusters}/", "") for fault in faults]
        assert told == [f"fleet.yaml:{line}: {what}"]


def test_all_files_are_read_before_any_is_written(clusters: Path) -> None:
    (clusters / "inference.yaml").write_text("a: [", encoding="utf-8")
    (clusters / "training.yaml").write_text("b: {", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        Migration(clusters).write()
    assert [fault.mark.file for fault in caught.value.faults] == [
        str(clusters / "inference.yaml"),
        str(clusters / "training.yaml"),
    ]
    assert "enabled: true" in (clusters / "fleet.yaml").read_text(encoding="utf-8")


def test_of_a_file_that_stays_as_it_was_nothing_that_has_moved_is_told_twice(
    clusters: Path,
) -> None:
    both = "network: {policyEngine: calico}\nnetworkPolicyEngine: calico\n"
    _write(clusters, sample=f"{CLUSTER}{both}webhook: {{enabled: true}}\n")
    migration = Migration(clusters)
    assert _told(migration, clusters) == [
        (
            "sample.yaml:10: networkPolicyEngine: has moved to network.policyEngine; line 9 states "
            "that as well; allowed: one of the two"
        )
    ]
    assert migration.remaining() == ()
