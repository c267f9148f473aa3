"""A change that is proposed in a pull request of its own, which is kept up to date."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class ProposalOutcome(StrEnum):
    OPENED = "opened"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"
    """A person has closed it."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Files of a repository, and what is said about them."""

    branch: str
    title: str
    text: str
    files: Mapping[str, bytes | None]
    """Content by path from the root; None of what goes."""

    @property
    def digest(self) -> str:
        found = hashlib.sha256()
        for path, content in sorted(self.files.items()):
            found.update(f"{path}\0{None if content is None else len(content)}\0".encode())
            found.update(content or b"")
        return found.hexdigest()

    def body(self, commit: str) -> str:
        """Return the text below a line that nobody sees.

        By the files and the commit in it, another run knows what the branch was to hold, and
        whether somebody has pushed to it.
        """
        return f"<!-- gpuplane promote {self.digest} {commit} -->\n{self.text}"


@dataclass(frozen=True, slots=True)
class ProposalResult:
    """What became of a proposal, and its pull request."""

    outcome: ProposalOutcome
    url: str


@dataclass(frozen=True, slots=True)
class ExistingRequest:
    """A pull request of a branch of ours, which is not merged."""

    number: int
    title: str
    body: str
    url: str
    is_open: bool
    head: str
    """The last commit of the branch."""


class ProposalHost(Protocol):
    """A repository of GitHub, or a project of GitLab; each method raises HostError."""

    def find(self, branch: str) -> ExistingRequest | None:
        """Return the latest pull request of a branch of ours; None without one, or if merged."""

    def commit(self, proposal: Proposal) -> str:
        """Have the branch hold the files, in one commit on the main branch, and return that."""

    def open(self, proposal: Proposal, commit: str) -> str:
        """Open a pull request with a commit, and return its address."""

    def edit(self, request: ExistingRequest, title: str, body: str) -> None:
        """Give a pull request another title and text."""

    def close(self, request: ExistingRequest) -> None:
        """Close a pull request without merging it."""


def propose(host: ProposalHost, proposal: Proposal) -> ProposalResult:
    """Open a pull request, or bring the one that is open for its branch up to date.

    What is committed already is not committed again, so that checks do not start anew; what others
    have pushed to the branch is replaced. What a person has closed is not proposed again.
    """
    there = host.find(proposal.branch)
    if there is not None and not there.is_open and proposal.digest in there.body:
        return ProposalResult(ProposalOutcome.DECLINED, there.url)
    if there is None or not there.is_open:
        opened = host.open(proposal, host.commit(proposal))
        return ProposalResult(ProposalOutcome.OPENED, opened)
    if there.body == proposal.body(there.head) and there.title == proposal.title:
        return ProposalResult(ProposalOutcome.UNCHANGED, there.url)
    is_there = f"{proposal.digest} {there.head}" in there.body
    commit = there.head if is_there else host.commit(proposal)
    host.edit(there, proposal.title, proposal.body(commit))
    return ProposalResult(ProposalOutcome.UPDATED, there.url)


def withdraw(host: ProposalHost, branch: str, why: str) -> ProposalResult | None:
    """Close the pull request that is open for a branch, and say why; None without one."""
    there = host.find(branch)
    if there is None or not there.is_open:
        return None
    host.edit(there, there.title, why)
    host.close(there)
    return ProposalResult(ProposalOutcome.WITHDRAWN, there.url)
