"""A pull request on GitHub and a merge request on GitLab, by the APIs of these hosts."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from gpuplane.host_api import HostApi, HostError
from gpuplane.pull_request.pull_request import Comment, PullRequest

GITHUB_TOKEN = "GITHUB_TOKEN"  # noqa: S105 # the name of a variable
GITLAB_TOKEN = "GITLAB_TOKEN"  # noqa: S105 # likewise


_COMMENTS = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id body isMinimized viewerDidAuthor }
      }
    }
  }
}
"""


def _mutation(variables: str, call: str) -> str:
    return f"mutation({variables}) {{ {call} {{ clientMutationId }} }}"


_WRITE = _mutation(
    "$subject: ID!, $body: String!", "addComment(input: {subjectId: $subject, body: $body})"
)
_REWRITE = _mutation(
    "$id: ID!, $body: String!", "updateIssueComment(input: {id: $id, body: $body})"
)
_HIDE = _mutation("$id: ID!", "minimizeComment(input: {subjectId: $id, classifier: OUTDATED})")
_SHOW = _mutation("$id: ID!", "unminimizeComment(input: {subjectId: $id})")
_LABELS_OF_A_PAGE = 100
"""A pull request has no more (https://docs.github.com/en/issues/using-labels-and-milestones)."""


@dataclass(frozen=True, slots=True)
class GitHubPullRequest:
    """A pull request by its number; implements `PullRequest`."""

    rest: HostApi
    graphql: HostApi
    repository: str
    """The repository as `owner/name`."""
    number: int
    commit: str
    folder: str

    def comments(self) -> Iterator[Comment]:
        after = None
        while True:
            found = self._page(after)["comments"]
            for node in found["nodes"]:
                if node["viewerDidAuthor"]:
                    yield Comment(node["id"], node["body"], node["isMinimized"])
            if not found["pageInfo"]["hasNextPage"]:
                return
            after = found["pageInfo"]["endCursor"]

    def write(self, body: str) -> None:
        self._ask(_WRITE, subject=self._page(None)["id"], body=body)

    def rewrite(self, comment: Comment, body: str) -> None:
        self._ask(_REWRITE, id=comment.id, body=body)

    def hide(self, comment: Comment, body: str) -> None:
        """Fold a comment as outdated; the text is for those who unfold it."""
        self.rewrite(comment, body)
        self._ask(_HIDE, id=comment.id)

    def show(self, comment: Comment) -> None:
        self._ask(_SHOW, id=comment.id)

    def labels(self) -> Iterator[str]:
        found = self.rest.request("GET", f"{self._labels}?per_page={_LABELS_OF_A_PAGE}")
        yield from (each["name"] for each in found)

    def relabel(self, add: Iterable[str], remove: Iterable[str]) -> None:
        if wanted := list(add):
            self.rest.request("POST", self._labels, {"labels": wanted})
        for label in remove:
            self.rest.request("DELETE", f"{self._labels}/{quote(label, safe='')}")

    @property
    def _labels(self) -> str:
        return f"repos/{self.repository}/issues/{self.number}/labels"

    def _page(self, after: str | None) -> Any:
        owner, _, name = self.repository.partition("/")
        found = self._ask(_COMMENTS, owner=owner, name=name, number=self.number, after=after)
        return found["repository"]["pullRequest"]

    def _ask(self, query: str, **variables: object) -> Any:
        """Return the data of an answer; what GraphQL refuses is answered with 200, too."""
        found = self.graphql.request("POST", "", {"query": query, "variables": variables})
        if errors := found.get("errors"):
            said = "; ".join(each.get("message", "") for each in errors)
            raise HostError(f"{self.graphql.url}: {said}")
        return found["data"]


_OLDEST_FIRST = urlencode({"sort": "asc", "order_by": "created_at", "per_page": 100})


@dataclass(frozen=True, slots=True)
class GitLabMergeRequest:
    """A merge request by its number in a project; implements `PullRequest`."""

    rest: HostApi
    project: str
    """The number of the project, or its path as an address has it."""
    number: int
    commit: str
    folder: str

    def comments(self) -> Iterator[Comment]:
        user, page = self.rest.request("GET", "user")["id"], 1
        while found := self.rest.request("GET", f"{self._notes}?{_OLDEST_FIRST}&page={page}"):
            for note in found:
                if note["author"]["id"] == user and not note["system"]:
                    yield Comment(str(note["id"]), note["body"], is_hidden=False)
            page += 1

    def write(self, body: str) -> None:
        self.rest.request("POST", self._notes, {"body": body})

    def rewrite(self, comment: Comment, body: str) -> None:
        self.rest.request("PUT", f"{self._notes}/{comment.id}", {"body": body})

    def hide(self, comment: Comment, _body: str) -> None:
        """Delete a note, since GitLab folds none."""
        self.rest.request("DELETE", f"{self._notes}/{comment.id}")

    def show(self, comment: Comment) -> None:
        """Do nothing: no note is hidden."""

    def labels(self) -> Iterator[str]:
        yield from self.rest.request("GET", self._merge_request)["labels"]

    def relabel(self, add: Iterable[str], remove: Iterable[str]) -> None:
        """Change its labels; one that the project lacks is made."""
        changed = {"add_labels": ",".join(add), "remove_labels": ",".join(remove)}
        self.rest.request("PUT", self._merge_request, changed)

    @property
    def _merge_request(self) -> str:
        return f"projects/{self.project}/merge_requests/{self.number}"

    @property
    def _notes(self) -> str:
        return f"{self._merge_request}/notes"


def pull_request_of(environment: Mapping[str, str], folder: str = "") -> PullRequest:
    """Return the pull request of this run; raise HostError where the environment names none.

    `folder` is that of the platform repository; two of them keep a comment and a label each.
    """
    if environment.get("GITHUB_ACTIONS"):
        return _on_github(environment, folder)
    if environment.get("GITLAB_CI"):
        return GitLabMergeRequest(
            rest=gitlab_api(environment),
            project=stated(environment, "CI_PROJECT_ID"),
            number=int(stated(environment, "CI_MERGE_REQUEST_IID")),
            # A pipeline for merged results runs on a commit that nobody pushed.
            commit=environment.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA")
            or stated(environment, "CI_COMMIT_SHA"),
            folder=folder,
        )
    raise HostError(
        "there is no pull request to write to; allowed: in GitHub Actions, for a pull_request "
        "event, or in GitLab CI, for a merge request"
    )


def _on_github(environment: Mapping[str, str], folder: str) -> PullRequest:
    rest = github_api(environment)
    graphql = HostApi(stated(environment, "GITHUB_GRAPHQL_URL"), rest.headers)
    repository = stated(environment, "GITHUB_REPOSITORY")
    event = Path(stated(environment, "GITHUB_EVENT_PATH"))
    match json.loads(event.read_text(encoding="utf-8")):
        case {"pull_request": {"number": int(number), "head": {"sha": str(commit)}}}:
            return GitHubPullRequest(rest, graphql, repository, number, commit, folder)
        case _:
            raise HostError(f"{event}: the event is about no pull request; allowed: pull_request")


def github_api(environment: Mapping[str, str]) -> HostApi:
    headers = {
        "Authorization": f"Bearer {stated(environment, GITHUB_TOKEN)}",
        "Accept": "application/vnd.github+json",
    }
    return HostApi(stated(environment, "GITHUB_API_URL"), headers)


def gitlab_api(environment: Mapping[str, str]) -> HostApi:
    token = {"PRIVATE-TOKEN": stated(environment, GITLAB_TOKEN)}
    return HostApi(stated(environment, "CI_API_V4_URL"), token)


def stated(environment: Mapping[str, str], name: str) -> str:
    if not (value := environment.get(name)):
        raise HostError(f"the variable {name} is not set")
    return value
