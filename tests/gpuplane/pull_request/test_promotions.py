"""Pull requests for promotions, on hosts that answer as their documentation says."""

import shutil
from collections.abc import Iterator, Mapping

import pytest

from gpuplane.host_api import HostError
from gpuplane.pull_request.promotions import MainRepository, open_promotions
from gpuplane.pull_request.proposal import ProposalOutcome, ProposalResult
from gpuplane.pull_request.proposal_hosts import proposal_host_of
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.tree import read_tree
from tests.gpuplane.messages import message_of
from tests.gpuplane.pull_request.hosts import of_github, of_gitlab, serving_state
from tests.gpuplane.pull_request.proposal_hosts import (
    ADDRESS,
    GitHubRepository,
    GitLabProject,
    Repository,
    Request,
)
from tests.gpuplane.release.conftest import RenderedChain, rendered, rendered_chain
from tests.gpuplane.versions.conftest import run_git

__all__ = ["rendered", "rendered_chain"]

BRANCH = "gpuplane/promote-training"
Host = tuple[Repository, Mapping[str, str]]


@pytest.fixture(params=["github", "gitlab"])
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    is_github = request.param == "github"
    with serving_state(GitHubRepository if is_github else GitLabProject, Repository()) as state:
        yield state, of_github(state.url, "") if is_github else of_gitlab(state.url)


def _open(chain: RenderedChain, host: Host, folder: str = ".") -> dict[str, ProposalResult]:
    main = MainBranch(chain.dist, "main").commit
    assert main is not None
    repository = MainRepository(main, folder)
    _, opened = open_promotions(repository, chain.request(), proposal_host_of(host[1], main))
    return opened


def test_a_promotion_is_opened_once_and_left_alone_until_something_changes(
    rendered: RenderedChain, host: Host
) -> None:
    state, _ = host
    before = read_tree(rendered.clusters), read_tree(rendered.dist)
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.OPENED, ADDRESS)}
    assert (read_tree(rendered.clusters), read_tree(rendered.dist)) == before
    assert sorted(state.branches[BRANCH]) == [
        "clusters/training.yaml",
        "dist/training/live-application.yaml",
    ]
    assert "\nlive: 1.2.0\n" in str(state.branches[BRANCH]["clusters/training.yaml"])
    (opened,) = state.requests
    count = len([*(rendered.dist / "training" / "1.2.0").rglob("*.yaml")])
    assert (opened.branch, opened.title) == (BRANCH, "Promote training to 1.2.0")
    assert opened.body.splitlines()[1:] == [
        "training: 1.1.0 -> 1.2.0, which the rules in `clusters/fleet.yaml` allow now. Verified:",
        "",
        "- no cluster of the chain was rolled back from it: training",
        "- no freeze and no hold is on",
        f"- dist/training/1.2.0 holds the {count} files of its release.json, unchanged",
        "",
        "Not verified: whether the clusters before it were healthy. Their alerts say that.",
    ]
    state.writes.clear()
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.UNCHANGED, ADDRESS)}
    assert state.writes == []


def test_each_pull_request_has_the_files_of_its_own_cluster(
    rendered: RenderedChain, host: Host
) -> None:
    rendered.write_fleet(chain=["staging", "training"])
    rendered.render("staging", version="1.1.0", live="1.1.0")
    rendered.commit(hours_ago=20)
    rendered.render("staging", version="1.2.0", live="1.1.0", gpus=16)
    rendered.commit(hours_ago=10)
    assert [*_open(rendered, host)] == ["staging", "training"]
    assert {branch: sorted(files) for branch, files in host[0].branches.items()} == {
        f"gpuplane/promote-{name}": [f"clusters/{name}.yaml", f"dist/{name}/live-application.yaml"]
        for name in ("staging", "training")
    }


def test_another_version_updates_the_one_that_is_open(rendered: RenderedChain, host: Host) -> None:
    state, _ = host
    _open(rendered, host)
    rendered.render("training", version="1.3.0", live="1.1.0", gpus=24)
    rendered.commit()
    state.writes.clear()
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.UPDATED, ADDRESS)}
    assert state.writes == ["commit", "edit"]
    assert [each.title for each in state.requests] == ["Promote training to 1.3.0"]


def test_what_somebody_has_pushed_to_its_branch_is_replaced(
    rendered: RenderedChain, host: Host
) -> None:
    state, _ = host
    _open(rendered, host)
    files = state.branches[BRANCH]
    state.pushed(BRANCH, {"clusters/training.yaml": "live: 9.9.9\n"})
    state.writes.clear()
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.UPDATED, ADDRESS)}
    assert (state.writes, state.branches[BRANCH]) == (["commit", "edit"], files)
    state.writes.clear()
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.UNCHANGED, ADDRESS)}
    assert state.writes == []


@pytest.mark.parametrize("is_merged", [False, True])
def test_the_branch_of_a_fork_is_not_ours(
    rendered: RenderedChain, host: Host, is_merged: bool
) -> None:
    state, _ = host
    state.requests.append(Request(BRANCH, "Theirs", "", "main", False, is_merged, True))
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.OPENED, ADDRESS)}
    state.requests.append(Request(BRANCH, "Theirs", "", "main", True, False, True))
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.UNCHANGED, ADDRESS)}
    assert [each.title for each in state.requests] == [
        "Theirs",
        "Promote training to 1.2.0",
        "Theirs",
    ]


def test_a_pull_request_whose_promotion_is_refused_is_closed_with_the_reason(
    rendered: RenderedChain, host: Host
) -> None:
    state, _ = host
    _open(rendered, host)
    for live, hours in (("1.2.0", 4), ("1.1.0", 2)):
        rendered.render("training", version="1.2.0", live=live, gpus=16)
        rendered.commit(hours)
    assert _open(rendered, host) == {"training": ProposalResult(ProposalOutcome.WITHDRAWN, ADDRESS)}
    (closed,) = state.requests
    assert not closed.is_open
    assert closed.body == (
        "training: 1.1.0 -> 1.2.0 is refused now:\n\n- chain: training was rolled back from 1.2.0 "
        "to 1.1.0 at 2026-07-10T10:00Z"
    )
    assert _open(rendered, host) == {}


@pytest.mark.parametrize("merged", [False, True])
def test_what_a_person_has_closed_is_not_opened_again_until_another_version(
    rendered: RenderedChain, host: Host, merged: bool
) -> None:
    state, _ = host
    _open(rendered, host)
    state.requests[0].is_open, state.requests[0].is_merged = False, merged
    outcome = ProposalOutcome.OPENED if merged else ProposalOutcome.DECLINED
    assert _open(rendered, host) == {"training": ProposalResult(outcome, ADDRESS)}
    rendered.render("training", version="1.3.0", live="1.1.0", gpus=24)
    rendered.commit()
    outcome = ProposalOutcome.UPDATED if merged else ProposalOutcome.OPENED
    assert _open(rendered, host) == {"training": ProposalResult(outcome, ADDRESS)}


def test_a_folder_below_the_root_has_branches_of_its_own(
    rendered: RenderedChain, host: Host, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("root")
    below = RenderedChain(root / "platform" / "gpus")
    shutil.copytree(rendered.directory, below.directory, ignore=shutil.ignore_patterns(".git"))
    shutil.copytree(rendered.directory / ".git", root / ".git")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--message", "Move")
    assert [*_open(below, host, "platform/gpus")] == ["training"]
    (branch,) = host[0].branches
    assert branch == "gpuplane/promote-platform-gpus-training"
    assert sorted(host[0].branches[branch]) == [
        "platform/gpus/clusters/training.yaml",
        "platform/gpus/dist/training/live-application.yaml",
    ]


def test_it_is_for_the_branch_whose_commit_it_is_based_on(
    rendered: RenderedChain, host: Host
) -> None:
    state, environment = host
    run_git(rendered.directory, "checkout", "-b", "release/8")
    main = MainBranch(rendered.dist, "refs/heads/release/8").commit
    assert main is not None
    own = {"GITHUB_REF_NAME": "topic", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_BRANCH": "topic"}
    open_promotions(
        MainRepository(main, "."),
        rendered.request(),
        proposal_host_of({**environment, **own}, main),
    )
    assert [each.target for each in state.requests] == ["release/8"]


def test_a_commit_that_is_no_branch_has_no_pull_request(
    rendered: RenderedChain, host: Host
) -> None:
    main = MainBranch(rendered.dist, "main~1").commit
    assert main is not None
    assert message_of(HostError, proposal_host_of, host[1], main) == (
        '"main~1" is no branch, and a pull request is for one; allowed: with --main-branch, a '
        "branch such as refs/remotes/origin/main"
    )


def test_a_run_of_neither_host_opens_none(rendered: RenderedChain) -> None:
    main = MainBranch(rendered.dist).commit
    assert main is not None
    assert message_of(HostError, proposal_host_of, {}, main) == (
        "there is no host to open pull requests on; allowed: in GitHub Actions or GitLab CI"
    )
