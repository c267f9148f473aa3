import pytest

from gpuplane.versions.tree import read_tree
from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.release.conftest import RecordedChain, chain, recorded_chain

__all__ = ["chain", "recorded_chain"]

HOLD = "  hold: {reason: waits for a driver, owner: jo@example.com, until: 9999-12-30}\n"
REFUSED = (
    "training: 1.0.0 -> 1.1.0, refused\n"
    "  hold: waits for a driver (owner: jo@example.com); ends at 9999-12-31T00:00Z\n"
    "  staging has run fleet.yaml policies since 2026-07-09T06:00Z\n"
)


@pytest.fixture(autouse=True)
def _held(chain: RecordedChain) -> None:
    chain.write_fleet(HOLD)


def test_what_is_refused_writes_nothing(chain: RecordedChain, in_repository: Run) -> None:
    before = read_tree(chain.directory)
    assert in_repository.ended("promote", "training") == (1, REFUSED, "")
    assert read_tree(chain.directory) == before


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


def test_what_comes_next_is_told_with_what_it_waits_for(in_repository: Run) -> None:
    assert in_repository.printed("promote", "--next") == (
        "training: 1.0.0 -> 1.1.0, waits\n"
        "  hold: waits for a driver (owner: jo@example.com); ends at 9999-12-31T00:00Z\n"
    )
    report = in_repository.report("promote", "--next")
    (item,) = report.pop("items")
    assert report == fields("kind: NextPromotions, chain: [staging, training]")
    assert (item["cluster"], item["verified"], item["pullRequest"]) == ("training", [], None)


def test_without_a_chain_none_comes_next(chain: RecordedChain, in_repository: Run) -> None:
    (chain.clusters / "fleet.yaml").write_text("promotion: {soakHours: 1}\n", encoding="utf-8")
    assert in_repository.printed("promote", "--next") == (
        "promotion.chain in clusters/fleet.yaml names no cluster, so none comes next\n"
    )


def test_outside_of_ci_no_pull_request_is_opened(
    in_repository: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(name, raising=False)
    code, _, stderr = in_repository.ended("promote", "--next", "--open")
    assert code == 3
    assert stderr == (
        "there is no host to open pull requests on; allowed: in GitHub Actions or GitLab CI\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--open",), "--open opens what --next shows, so it needs --next"),
        (("--next", "--check"), "--next takes no VERSION, --check, --dry-run or --override"),
        (("--next", "training", "1.0.0"), "--next takes no VERSION"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    in_repository: Run, options: tuple[str, ...], message: str
) -> None:
    assert message in in_repository.misused("promote", *options)
