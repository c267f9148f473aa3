"""`gpuplane promote --next --open`, against a host on loopback."""

from collections.abc import Iterator

import pytest

from tests.gpuplane.conftest import Run
from tests.gpuplane.pull_request.hosts import of_github, serving_state
from tests.gpuplane.pull_request.proposal_hosts import ADDRESS, GitHubRepository, Repository
from tests.gpuplane.release.conftest import RenderedChain, rendered, rendered_chain

__all__ = ["rendered", "rendered_chain"]

CLOSED = "was closed by somebody, and is not opened again for this version"


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    with serving_state(GitHubRepository, Repository()) as state:
        for name, value in of_github(state.url, "").items():
            monkeypatch.setenv(name, value)
        yield state


def _told(run: Run) -> tuple[str, str]:
    """Return the last line that is printed, and the outcome for programs of a run before it."""
    (item,) = run.report("promote", "--next", "--open")["items"]
    assert item["pullRequest"]["url"] == ADDRESS
    line = run.printed("promote", "--next", "--open").splitlines()[-1]
    return item["pullRequest"]["outcome"], line


def test_programs_get_a_word_for_the_outcome_and_people_a_sentence(
    rendered: RenderedChain, host: Repository, in_repository: Run
) -> None:
    assert _told(in_repository) == ("opened", f"  pull request is open: {ADDRESS}")
    host.requests[0].title = "By hand"
    assert _told(in_repository) == ("updated", f"  pull request is open: {ADDRESS}")
    assert _told(in_repository)[0] == "unchanged"
    host.requests[0].is_open = False
    assert _told(in_repository) == ("declined", f"  pull request {CLOSED}: {ADDRESS}")
    host.requests[0].is_open = True
    rendered.write_fleet(
        "  hold: {reason: a driver, owner: jo@example.com, until: 9999-12-30}\n", ["training"]
    )
    rendered.commit()
    (item,) = in_repository.report("promote", "--next", "--open")["items"]
    assert item["pullRequest"] == {"outcome": "withdrawn", "url": ADDRESS}
