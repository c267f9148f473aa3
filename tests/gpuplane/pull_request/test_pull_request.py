import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpuplane.host_api import HostError
from gpuplane.pull_request.hosts import pull_request_of
from gpuplane.pull_request.pull_request import (
    PullRequest,
    hide_comment,
    keep_comment,
    keep_label,
    mark_stale,
)
from tests.gpuplane.messages import message_of
from tests.gpuplane.pull_request.hosts import (
    COMMIT,
    OTHERS,
    TOKEN,
    GitHub,
    GitLab,
    State,
    of_github,
    of_gitlab,
    serving,
)

MARKED = "<!-- gpuplane plan -->\n"
OF_COMMIT = f"\n<sub>Of commit {COMMIT}.</sub>\n"


def on_github(state: State, event: Path, number: int = 5, folder: str = "") -> PullRequest:
    told = {"number": number, "head": {"sha": COMMIT}}
    event.write_text(json.dumps({"pull_request": told}))
    return pull_request_of(of_github(state.url, str(event)), folder)


def on_gitlab(state: State, _event: Path, folder: str = "") -> PullRequest:
    return pull_request_of(of_gitlab(state.url), folder)


Pair = tuple[State, PullRequest]


@pytest.fixture(params=[(GitHub, on_github), (GitLab, on_gitlab)], ids=["github", "gitlab"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    handler, found = request.param
    with serving(handler) as state:
        yield state, found(state, tmp_path / "event.json")


def test_the_first_comment_is_added_below_those_of_others(host: Pair) -> None:
    state, pull_request = host
    for said in ("one", "two", f"{MARKED}forged"):
        state.add(said, author=OTHERS)
    keep_comment(pull_request, "plan")
    assert state.shown[3:] == [(f"{MARKED}plan{OF_COMMIT}", False)]


def test_the_comment_that_is_there_is_rewritten_wherever_it_stands(host: Pair) -> None:
    state, pull_request = host
    for said in ("one", "two", "three", f"{MARKED}before", "four"):
        state.add(said)
    keep_comment(pull_request, "after")
    assert [body for body, _ in state.shown] == [
        "one",
        "two",
        "three",
        f"{MARKED}after{OF_COMMIT}",
        "four",
    ]


def test_a_comment_that_says_the_same_is_left_as_it_is(host: Pair) -> None:
    state, pull_request = host
    keep_comment(pull_request, "plan")
    state.writes.clear()
    keep_comment(pull_request, "plan")
    assert state.writes == []


def test_nothing_is_written_where_nothing_changes_and_nothing_was_said(host: Pair) -> None:
    state, pull_request = host
    hide_comment(pull_request, "no change")
    assert state.writes == []


def test_github_folds_a_comment_and_shows_it_again_when_something_changes(tmp_path: Path) -> None:
    with serving(GitHub) as state:
        pull_request = on_github(state, tmp_path / "event.json")
        keep_comment(pull_request, "plan")
        hide_comment(pull_request, "no change")
        hidden = list(state.shown)
        hide_comment(pull_request, "no change")
        keep_comment(pull_request, "plan")
        assert hidden == [(f"{MARKED}no change", True)]
        assert state.shown == [(f"{MARKED}plan{OF_COMMIT}", False)]
        assert state.writes == [
            "addComment",
            "updateIssueComment",
            "minimizeComment",
            "updateIssueComment",
            "unminimizeComment",
        ]


def test_gitlab_which_folds_none_has_the_note_deleted(tmp_path: Path) -> None:
    with serving(GitLab) as state:
        pull_request = on_gitlab(state, tmp_path)
        keep_comment(pull_request, "plan")
        hide_comment(pull_request, "no change")
        assert state.shown == []


def test_one_label_of_ours_is_left_and_all_of_others(host: Pair) -> None:
    state, pull_request = host
    state.labels = ["bug", "gpuplane/safe"]
    keep_label(pull_request, "rolling")
    assert sorted(state.labels) == ["bug", "gpuplane/rolling"]
    state.writes.clear()
    keep_label(pull_request, "rolling")
    assert state.writes == []
    keep_label(pull_request, None)
    assert state.labels == ["bug"]


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        ((403, "Resource not accessible by integration"), "403 Resource not accessible by"),
        ((302, "moved"), "302 moved"),
    ],
)
def test_what_a_host_refuses_is_told_in_its_words_without_the_token(
    host: Pair, refusal: tuple[int, str], said: str
) -> None:
    state, pull_request = host
    state.refusal = refusal
    with pytest.raises(HostError, match=said) as raised:
        keep_comment(pull_request, "plan")
    assert TOKEN not in str(raised.value)


def test_what_graphql_refuses_with_200_is_an_error(tmp_path: Path) -> None:
    with serving(GitHub) as state:
        pull_request = on_github(state, tmp_path / "event.json", number=6)
        message = message_of(HostError, keep_comment, pull_request, "plan")
        assert message == f"{state.url}/graphql: Could not resolve ('team', 'platform', 6)"


@pytest.mark.parametrize("before", [COMMIT, "another"])
def test_a_plan_of_an_earlier_commit_says_so_until_the_next_one(host: Pair, before: str) -> None:
    state, pull_request = host
    state.add(f"{MARKED}plan\n<sub>Of commit {before}.</sub>\n")
    state.labels.append("gpuplane/safe")
    mark_stale(pull_request)
    mark_stale(pull_request)
    (body, _), *_ = state.shown
    assert ("This plan is of an earlier commit." in body) is (before != COMMIT)
    assert state.labels == (["gpuplane/safe"] if before == COMMIT else [])
    keep_comment(pull_request, "plan")
    assert state.shown == [(f"{MARKED}plan{OF_COMMIT}", False)]


def test_without_a_comment_nothing_is_marked(host: Pair) -> None:
    state, pull_request = host
    mark_stale(pull_request)
    assert state.writes == []


@pytest.mark.parametrize(("handler", "found"), [(GitHub, on_github), (GitLab, on_gitlab)])
def test_two_folders_keep_two_comments_and_two_labels(
    handler: type[GitHub | GitLab], found: Callable[..., PullRequest], tmp_path: Path
) -> None:
    long = "platform/of-a-team-with-a-long-name/gpus"
    with serving(handler) as state:
        told = {each: found(state, tmp_path / "event", folder=each) for each in ("", "gpus", long)}
        for word in ("rolling", "safe"):
            for folder, pull_request in told.items():
                keep_comment(pull_request, f"{word} {folder}")
                keep_label(pull_request, word)
        mark_stale(told["gpus"])
        assert [body for body, _ in state.shown] == [
            f"{MARKED}safe {OF_COMMIT}",
            f"<!-- gpuplane plan of gpus -->\nIn `gpus`:\n\nsafe gpus{OF_COMMIT}",
            f"<!-- gpuplane plan of {long} -->\nIn `{long}`:\n\nsafe {long}{OF_COMMIT}",
        ]
        assert sorted(state.labels) == [
            "gpuplane/f-a-team-with-a-long-name/gpus/safe",
            "gpuplane/gpus/safe",
            "gpuplane/safe",
        ]
