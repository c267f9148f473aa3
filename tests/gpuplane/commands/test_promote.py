"""`gpuplane promote`."""

import shutil
from pathlib import Path

import pytest

from gpuplane.versions.tree import read_tree
from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.release.conftest import RecordedChain, recorded_chain

__all__ = ["recorded_chain"]

HOLD = "  hold: {reason: waits for a driver, owner: jo@example.com, until: 9999-12-30}\n"
REFUSED = (
    "training: 1.0.0 -> 1.1.0, refused\n"
    "  hold: waits for a driver (owner: jo@example.com); ends at 9999-12-31T00:00Z\n"
    "  staging has run fleet.yaml policies since 2026-07-09T06:00Z\n"
)


@pytest.fixture
def chain(recorded_chain: RecordedChain, tmp_path: Path) -> RecordedChain:
    """Training is held on 1.0.0."""
    shutil.copytree(recorded_chain.directory, tmp_path, dirs_exist_ok=True)
    chain = RecordedChain(tmp_path)
    chain.write_fleet(HOLD)
    return chain


def test_what_is_refused_writes_nothing(chain: RecordedChain, in_repository: Run) -> None:
    before = read_tree(chain.directory)
    assert in_repository.ended("promote", "training") == (1, REFUSED, "")
    assert read_tree(chain.directory) == before


@pytest.mark.usefixtures("chain")
def test_a_report_has_each_reason(in_repository: Run) -> None:
    report = in_repository.report("promote", "training", code=1)
    (move,) = report.pop("moves")
    assert report == fields("kind: Promotion, promoted: false, alreadyLive: []")
    assert move == fields("""
        cluster: training, old: 1.0.0, new: 1.1.0, isRollback: false,
        refusals: [{
            rule: hold, what: "waits for a driver (owner: jo@example.com)",
            ends: "9999-12-31T00:00:00+00:00"
        }],
        override: null, warnings: [],
        notes: ["staging has run fleet.yaml policies since 2026-07-09T06:00Z"]
    """)


def test_what_is_live_already_stays_as_it_is_whatever_holds_it(
    chain: RecordedChain, in_repository: Run
) -> None:
    before = read_tree(chain.directory)
    said = in_repository.printed("promote", "training", "1.0.0")
    assert said == "training: 1.0.0 is live already\n"
    live = "alreadyLive: [{cluster: training, version: 1.0.0}]"
    assert in_repository.report("promote", "training", "1.0.0") == fields(
        f"kind: Promotion, promoted: false, {live}, moves: []"
    )
    assert read_tree(chain.directory) == before


def test_a_pull_request_is_checked(chain: RecordedChain, in_repository: Run) -> None:
    assert in_repository.printed("promote", "--check") == "no other version goes live\n"
    chain.write("training", "1.1.0", "1.1.0")
    assert in_repository.ended("promote", "--check") == (1, REFUSED, "")
