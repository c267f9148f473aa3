from pathlib import Path

import pytest

from gpuplane.host_api import HostError
from gpuplane.pull_request.hosts import pull_request_of
from tests.gpuplane.messages import message_of
from tests.gpuplane.pull_request.hosts import of_github, of_gitlab

GITHUB = of_github("https://api.github.com", "event.json")
GITLAB = of_gitlab("https://gitlab.com/api/v4")


@pytest.mark.parametrize(
    ("environment", "missing"),
    [(each, name) for each in (GITHUB, GITLAB) for name in list(each)[1:]],
)
def test_each_variable_that_is_not_set_is_named(
    environment: dict[str, str], missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("event.json").write_text('{"pull_request": {"number": 5, "head": {"sha": "4f2a91c"}}}')
    pull_request_of(environment)
    message = message_of(HostError, pull_request_of, {**environment, missing: ""})
    assert message == f"the variable {missing} is not set"


def test_a_run_of_neither_host_has_no_pull_request() -> None:
    assert message_of(HostError, pull_request_of, {}) == (
        "there is no pull request to write to; allowed: in GitHub Actions, for a pull_request "
        "event, or in GitLab CI, for a merge request"
    )


def test_a_push_has_no_pull_request(tmp_path: Path) -> None:
    (event := tmp_path / "event.json").write_text('{"ref": "refs/heads/main"}')
    message = message_of(HostError, pull_request_of, {**GITHUB, "GITHUB_EVENT_PATH": str(event)})
    said = "the event is about no pull request; allowed: pull_request"
    assert message == f"{event}: {said}"


def test_the_token_is_sent_to_no_address_without_tls() -> None:
    message = message_of(HostError, pull_request_of, of_gitlab("http://gitlab.example/api/v4"))
    said = "is not an address that begins with https://"
    assert message == f"http://gitlab.example/api/v4: {said}"
