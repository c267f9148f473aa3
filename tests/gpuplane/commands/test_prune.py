import pytest

from gpuplane.versions.tree import read_tree
from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.release.conftest import RecordedChain, chain, recorded_chain

__all__ = ["chain", "recorded_chain"]

pytestmark = pytest.mark.usefixtures("chain")

STAYS = "training:\n    1.1.0: stays, rendered\n    1.0.0: stays, live\n"


def test_where_everything_is_needed_nothing_goes(in_repository: Run) -> None:
    assert in_repository.printed("prune", "--keep", 0, "training") == f"{STAYS}nothing to delete\n"


def test_without_a_terminal_nothing_goes_that_is_not_confirmed(
    chain: RecordedChain, in_repository: Run
) -> None:
    chain.write("training", "1.0.1", "1.0.0")
    chain.write("training", "1.1.0", "1.0.0")
    before = read_tree(chain.directory)
    shown = STAYS + "  - 1.0.1, only here\n"
    message = f"{chain.dist}: nothing is removed; to remove it, add --yes\n"
    assert in_repository.ended("prune", "--keep", 0, "training") == (2, shown, message)
    assert read_tree(chain.directory) == before


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_report_has_each_version_and_deletes_what_is_confirmed_alone(
    chain: RecordedChain, in_repository: Run, confirmed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain.write("training", "1.0.1", "1.0.0")
    chain.write("training", "1.1.0", "1.0.0")
    deleted: list[object] = []
    monkeypatch.setattr("gpuplane.release.pruning.prune", deleted.append)
    yes = ("--yes",) if confirmed else ()
    report = in_repository.report("prune", "--keep", 0, "training", *yes)
    assert len(deleted) == int(confirmed)
    (cluster,) = report.pop("clusters")
    assert report == {"kind": "Pruning", "pruned": confirmed}
    assert cluster == fields("""
        name: training,
        kept: [{version: 1.1.0, why: rendered}, {version: 1.0.0, why: live}],
        deleted: [{version: 1.0.1, isOnMainBranch: false}]
    """)
