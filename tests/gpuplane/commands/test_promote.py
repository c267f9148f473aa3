"""`gpuplane promote`."""

import json
import shutil
from pathlib import Path

import pytest

from gpuplane.versions.tree import read_tree
from tests.gpuplane.conftest import Run
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
    result = in_repository("promote", "training")
    assert (result.exit_code, result.stdout, result.stderr) == (1, REFUSED, "")
    assert read_tree(chain.directory) == before


@pytest.mark.usefixtures("chain")
def test_a_report_has_each_reason(in_repository: Run) -> None:
    report = json.loads(in_repository("promote", "training", "-o", "json").stdout)
    assert report == {
        "apiVersion": "gpuplane.io/v1alpha1",
        "kind": "Promotion",
        "promoted": False,
        "alreadyLive": [],
        "moves": [
            {
                "cluster": "training",
                "old": "1.0.0",
                "new": "1.1.0",
                "isRollback": False,
                "refusals": [
                    {
                        "rule": "hold",
                        "what": "waits for a driver (owner: jo@example.com)",
                        "ends": "9999-12-31T00:00:00+00:00",
                    }
                ],
                "override": None,
                "warnings": [],
                "notes": ["staging has run fleet.yaml policies since 2026-07-09T06:00Z"],
            }
        ],
    }


def test_what_is_live_already_stays_as_it_is_whatever_holds_it(
    chain: RecordedChain, in_repository: Run
) -> None:
    before = read_tree(chain.directory)
    result = in_repository("promote", "training", "--to", "1.0.0")
    assert (result.exit_code, result.stdout) == (0, "training: 1.0.0 is live already\n")
    assert in_repository.report("promote", "training", "--to", "1.0.0") == {
        "apiVersion": "gpuplane.io/v1alpha1",
        "kind": "Promotion",
        "promoted": False,
        "alreadyLive": [{"cluster": "training", "version": "1.0.0"}],
        "moves": [],
    }
    assert read_tree(chain.directory) == before


def test_a_pull_request_is_checked(chain: RecordedChain, in_repository: Run) -> None:
    result = in_repository("promote", "--check")
    assert (result.exit_code, result.stdout) == (0, "no other version goes live\n")
    chain.write("training", "1.1.0", "1.1.0")
    result = in_repository("promote", "--check")
    assert (result.exit_code, result.stdout) == (1, REFUSED)
