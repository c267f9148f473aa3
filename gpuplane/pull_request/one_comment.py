"""One comment on a pull request, which is kept up to date, and one label beside it."""

from gpuplane.pull_request.pull_request import Comment, PullRequest

LABEL_PREFIX = "gpuplane/"
"""Of the labels that are set and removed here; no other is touched."""

_MARKER = "<!-- gpuplane plan -->"
"""Marks the comment among others of the same author; nobody sees it."""

MARKER_LENGTH = len(f"{_MARKER}\n")
"""Characters that a comment has beyond its text."""


def keep_comment(pull_request: PullRequest, body: str) -> None:
    """Write the comment, or give the one that is there this text; raise HostError."""
    text = f"{_MARKER}\n{body}"
    there = _ours(pull_request)
    if there is None:
        pull_request.write(text)
        return
    if there.body != text:
        pull_request.rewrite(there, text)
    if there.is_hidden:
        pull_request.show(there)


def hide_comment(pull_request: PullRequest, body: str) -> None:
    """Hide the comment, where there is one, with what holds now; raise HostError."""
    there = _ours(pull_request)
    if there is not None and not there.is_hidden:
        pull_request.hide(there, f"{_MARKER}\n{body}")


def keep_label(pull_request: PullRequest, word: str | None) -> None:
    """Have the label of that word be the only one of ours; none for None; raise HostError."""
    wanted = set() if word is None else {f"{LABEL_PREFIX}{word}"}
    ours = {each for each in pull_request.labels() if each.startswith(LABEL_PREFIX)}
    if wanted != ours:
        pull_request.relabel(sorted(wanted - ours), sorted(ours - wanted))


def _ours(pull_request: PullRequest) -> Comment | None:
    return next((each for each in pull_request.comments() if each.body.startswith(_MARKER)), None)
