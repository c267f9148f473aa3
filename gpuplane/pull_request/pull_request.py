"""A pull request, as the host that it is on shows it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that whoever holds the token has written."""

    id: str
    body: str
    is_hidden: bool


class PullRequest(Protocol):
    """A pull request of GitHub, or a merge request of GitLab; each method raises HostError."""

    def comments(self) -> Iterable[Comment]:
        """Yield the comments that whoever holds the token has written, the oldest first."""

    def write(self, body: str) -> None:
        """Add a comment."""

    def rewrite(self, comment: Comment, body: str) -> None:
        """Give a comment another text."""

    def hide(self, comment: Comment, body: str, /) -> None:
        """Have a comment take no room; the text is for those who look all the same."""

    def show(self, comment: Comment) -> None:
        """Take that back."""

    def labels(self) -> Iterable[str]:
        """Yield the labels that it has."""

    def relabel(self, add: Iterable[str], remove: Iterable[str]) -> None:
        """Change its labels."""
