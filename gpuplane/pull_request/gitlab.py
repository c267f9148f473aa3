"""A merge request on GitLab.

Source: https://docs.gitlab.com/api/notes/ and https://docs.gitlab.com/api/merge_requests/.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from gpuplane.pull_request.host_api import HostApi
from gpuplane.pull_request.pull_request import Comment

_NOTES_OF_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class GitLabMergeRequest:
    """A merge request by its number in a project; implements `PullRequest`."""

    rest: HostApi
    project: str
    """Its number, or its path as an address has it."""
    number: int

    def comments(self) -> Iterator[Comment]:
        """Yield the notes that whoever holds the token has written."""
        user, page = self.rest.request("GET", "user")["id"], 1
        while found := self.rest.request("GET", f"{self._notes}?{_query(page)}"):
            for note in found:
                if note["author"]["id"] == user and not note["system"]:
                    yield Comment(str(note["id"]), note["body"], is_hidden=False)
            page += 1

    def write(self, body: str) -> None:
        """Add a note."""
        self.rest.request("POST", self._notes, {"body": body})

    def rewrite(self, comment: Comment, body: str) -> None:
        """Give a note another text."""
        self.rest.request("PUT", f"{self._notes}/{comment.id}", {"body": body})

    def hide(self, comment: Comment, _body: str) -> None:
        """Delete a note, since GitLab folds none."""
        self.rest.request("DELETE", f"{self._notes}/{comment.id}")

    def show(self, comment: Comment) -> None:
        """Do nothing: no note is hidden."""

    def labels(self) -> Iterator[str]:
        """Yield the labels that it has."""
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


def _query(page: int) -> str:
    oldest_first = {"sort": "asc", "order_by": "created_at"}
    return urlencode({**oldest_first, "per_page": _NOTES_OF_A_PAGE, "page": page})
