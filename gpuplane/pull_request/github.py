"""A pull request on GitHub.

Comments are read and written by GraphQL, which says who wrote them and can hide them
(https://docs.github.com/en/graphql/reference/mutations#minimizecomment); labels by REST, which
makes those that are missing (https://docs.github.com/en/rest/issues/labels).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from gpuplane.pull_request.host_api import HostApi
from gpuplane.pull_request.host_error import HostError
from gpuplane.pull_request.pull_request import Comment

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
_WRITE = """
mutation($subject: ID!, $body: String!) {
  addComment(input: {subjectId: $subject, body: $body}) { clientMutationId }
}
"""
_REWRITE = """
mutation($id: ID!, $body: String!) {
  updateIssueComment(input: {id: $id, body: $body}) { clientMutationId }
}
"""
_HIDE = """
mutation($id: ID!) {
  minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId }
}
"""
_SHOW = """
mutation($id: ID!) {
  unminimizeComment(input: {subjectId: $id}) { clientMutationId }
}
"""
_LABELS_OF_A_PAGE = 100
"""A pull request has no more (https://docs.github.com/en/issues/using-labels-and-milestones)."""


@dataclass(frozen=True, slots=True)
class GitHubPullRequest:
    """A pull request by its number; implements `PullRequest`."""

    rest: HostApi
    graphql: HostApi
    repository: str
    """As `owner/name`."""
    number: int

    def comments(self) -> Iterator[Comment]:
        """Yield the comments that whoever holds the token has written."""
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
        """Add a comment."""
        self._ask(_WRITE, subject=self._page(None)["id"], body=body)

    def rewrite(self, comment: Comment, body: str) -> None:
        """Give a comment another text."""
        self._ask(_REWRITE, id=comment.id, body=body)

    def hide(self, comment: Comment, body: str) -> None:
        """Fold a comment as outdated; the text is for those who unfold it."""
        self.rewrite(comment, body)
        self._ask(_HIDE, id=comment.id)

    def show(self, comment: Comment) -> None:
        """Take that back."""
        self._ask(_SHOW, id=comment.id)

    def labels(self) -> Iterator[str]:
        """Yield the labels that it has."""
        found = self.rest.request("GET", f"{self._labels}?per_page={_LABELS_OF_A_PAGE}")
        yield from (each["name"] for each in found)

    def relabel(self, add: Iterable[str], remove: Iterable[str]) -> None:
        """Change its labels."""
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
