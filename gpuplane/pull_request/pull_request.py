"""A pull request, and its one comment and one label that are kept up to date."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

LABEL_PREFIX = "gpuplane/"
"""Labels of this prefix, the folder and a word are set and removed here; no other is touched."""
_MARKER = "<!-- gpuplane plan{} -->"
"""Marks the comment of a folder among others of the same author; nobody sees it."""
_LABELLED = 30
"""A label of GitHub has at most 50 characters, and so this many of the end of a folder."""
_STALE = (
    "> **This plan is of an earlier commit.** The run for the latest one has not come to the plan, "
    "or failed before it."
)
_PLACE_LENGTH = 2000
"""Folder and commit, which marker and last line name, are no longer than that."""
MARKER_LENGTH = len(f"{_MARKER}\n{_STALE}\n\n") + _PLACE_LENGTH
"""A comment has at most so many characters beyond its text."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that whoever holds the token has written."""

    id: str
    body: str
    is_hidden: bool


class PullRequest(Protocol):
    """A pull request of GitHub, or a merge request of GitLab; each method raises HostError."""

    @property
    def commit(self) -> str:
        """The commit that was pushed last, as the run knows it."""

    @property
    def folder(self) -> str:
        """The folder of the platform repository in it; empty for its root."""

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


def keep_comment(pull_request: PullRequest, body: str) -> None:
    """Write the comment, or give the one that is there this text; raise HostError."""
    text = f"{_marker(pull_request)}{body}{_of_commit(pull_request)}"
    there = _ours(pull_request)
    if there is None:
        pull_request.write(text)
        return
    if there.body != text:
        pull_request.rewrite(there, text)
    if there.is_hidden:
        pull_request.show(there)


def mark_stale(pull_request: PullRequest) -> None:
    """Say in the comment, where it is shown, that it is of an earlier commit; raise HostError.

    The label goes, and the next `keep_comment` takes the mark back.
    """
    there, of_commit = _ours(pull_request), _of_commit(pull_request)
    if there is None or there.is_hidden or _STALE in there.body:
        return
    if there.body.endswith(of_commit):
        return
    marker = _marker(pull_request)
    pull_request.rewrite(there, f"{marker}{_STALE}\n\n{there.body.removeprefix(marker)}")
    keep_label(pull_request, None)


def _of_commit(pull_request: PullRequest) -> str:
    return f"\n<sub>Of commit {pull_request.commit}.</sub>\n"


def _marker(pull_request: PullRequest) -> str:
    """Return how the comment begins, which tells people its folder as well."""
    if folder := pull_request.folder:
        return f"{_MARKER.format(f' of {folder}')}\nIn `{folder}`:\n\n"
    return f"{_MARKER.format('')}\n"


def hide_comment(pull_request: PullRequest, body: str) -> None:
    """Hide the comment, where there is one, with what holds now; raise HostError."""
    there = _ours(pull_request)
    if there is not None and not there.is_hidden:
        pull_request.hide(there, f"{_marker(pull_request)}{body}")


def keep_label(pull_request: PullRequest, word: str | None) -> None:
    """Have the label of that word be the only one of ours; none for None; raise HostError.

    Those of other folders have more slashes, or fewer.
    """
    folder = pull_request.folder[-_LABELLED:].strip("/")
    prefix = f"{LABEL_PREFIX}{folder}/" if folder else LABEL_PREFIX
    wanted = set() if word is None else {f"{prefix}{word}"}
    ours = {each for each in pull_request.labels() if f"{each.rpartition('/')[0]}/" == prefix}
    if wanted != ours:
        pull_request.relabel(sorted(wanted - ours), sorted(ours - wanted))


def _ours(pull_request: PullRequest) -> Comment | None:
    marker = _marker(pull_request)
    return next((each for each in pull_request.comments() if each.body.startswith(marker)), None)
