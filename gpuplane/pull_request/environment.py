"""The pull request that a run of CI is about, from its environment.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/variables and
https://docs.gitlab.com/ci/variables/predefined_variables/.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from gpuplane.pull_request.hosts import GitHubPullRequest, GitLabMergeRequest, HostApi, HostError
from gpuplane.pull_request.pull_request import PullRequest

GITHUB_TOKEN = "GITHUB_TOKEN"  # noqa: S105 # the name of a variable
GITLAB_TOKEN = "GITLAB_TOKEN"  # noqa: S105 # likewise


def pull_request_of(environment: Mapping[str, str]) -> PullRequest:
    """Return the pull request of this run; raise HostError where the environment names none."""
    if environment.get("GITHUB_ACTIONS"):
        return _on_github(environment)
    if environment.get("GITLAB_CI"):
        return _on_gitlab(environment)
    raise HostError(
        "there is no pull request to write to; allowed: in GitHub Actions, for a pull_request "
        "event, or in GitLab CI, for a merge request"
    )


def _on_github(environment: Mapping[str, str]) -> PullRequest:
    headers = {
        "Authorization": f"Bearer {_stated(environment, GITHUB_TOKEN)}",
        "Accept": "application/vnd.github+json",
    }
    return GitHubPullRequest(
        rest=HostApi(_stated(environment, "GITHUB_API_URL"), headers),
        graphql=HostApi(_stated(environment, "GITHUB_GRAPHQL_URL"), headers),
        repository=_stated(environment, "GITHUB_REPOSITORY"),
        number=_number(Path(_stated(environment, "GITHUB_EVENT_PATH"))),
    )


def _on_gitlab(environment: Mapping[str, str]) -> PullRequest:
    headers = {"PRIVATE-TOKEN": _stated(environment, GITLAB_TOKEN)}
    return GitLabMergeRequest(
        rest=HostApi(_stated(environment, "CI_API_V4_URL"), headers),
        project=_stated(environment, "CI_PROJECT_ID"),
        number=int(_stated(environment, "CI_MERGE_REQUEST_IID")),
    )


def _number(event: Path) -> int:
    """Return the number of the pull request that an event is about."""
    match json.loads(event.read_text(encoding="utf-8")):
        case {"pull_request": {"number": int(number)}}:
            return number
        case _:
            raise HostError(f"{event}: the event is about no pull request; allowed: pull_request")


def _stated(environment: Mapping[str, str], name: str) -> str:
    if not (value := environment.get(name)):
        raise HostError(f"the variable {name} is not set")
    return value
