"""Proposals on GitHub and on GitLab, by the APIs of these hosts.

Commits are made by these APIs as well: no run needs a git identity, and GitHub signs them.

https://docs.github.com/en/rest/git/trees, https://docs.github.com/en/rest/pulls/pulls
https://docs.gitlab.com/api/commits/#create-a-commit, https://docs.gitlab.com/api/merge_requests/
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from gpuplane.host_api import HostApi, HostError
from gpuplane.pull_request.hosts import github_api, gitlab_api, stated
from gpuplane.pull_request.proposal import ExistingRequest, Proposal, ProposalHost
from gpuplane.versions.git import Commit

_FILE = "100644"
"""Mode of a file that is not executable, which is all that `dist/` has."""


@dataclass(frozen=True, slots=True)
class GitHubProposals:
    """Pull requests of a repository to its main branch; implements `ProposalHost`."""

    api: HostApi
    repository: str
    main_branch: str
    base: Commit

    def find(self, branch: str) -> ExistingRequest | None:
        owner, _, _ = self.repository.partition("/")
        asked = urlencode({"state": "all", "head": f"{owner}:{branch}"})
        # The owner may have a fork with a branch of the same name; one that is deleted is null.
        found = [
            each
            for each in self._ask("GET", f"pulls?{asked}")
            if each["head"]["ref"] == branch
            and (each["head"]["repo"] or {}).get("full_name") == self.repository
        ]
        return _on_github(found[0]) if found and not found[0]["merged_at"] else None

    def commit(self, proposal: Proposal) -> str:
        """Commit, and only then move the branch: GitHub closes what is level with its base."""
        base = self.base.object_name
        tree = {
            "base_tree": self.base.checkout.run("rev-parse", f"{base}^{{tree}}").decode().strip(),
            "tree": [self._entry(*each) for each in sorted(proposal.files.items())],
        }
        made = {
            "message": proposal.title,
            "tree": self._ask("POST", "git/trees", tree)["sha"],
            "parents": [base],
        }
        sha = str(self._ask("POST", "git/commits", made)["sha"])
        name = f"heads/{proposal.branch}"
        there = self._ask("GET", f"git/matching-refs/{name}")
        if any(each["ref"] == f"refs/{name}" for each in there):
            self._ask("PATCH", f"git/refs/{name}", {"sha": sha, "force": True})
        else:
            self._ask("POST", "git/refs", {"ref": f"refs/{name}", "sha": sha})
        return sha

    def open(self, proposal: Proposal, commit: str) -> str:
        asked = {
            "title": proposal.title,
            "body": proposal.body(commit),
            "head": proposal.branch,
            "base": self.main_branch,
        }
        return str(self._ask("POST", "pulls", asked)["html_url"])

    def edit(self, request: ExistingRequest, title: str, body: str) -> None:
        self._ask("PATCH", f"pulls/{request.number}", {"title": title, "body": body})

    def close(self, request: ExistingRequest) -> None:
        self._ask("PATCH", f"pulls/{request.number}", {"state": "closed"})

    def _entry(self, path: str, content: bytes | None) -> Mapping[str, object]:
        entry = {"path": path, "mode": _FILE, "type": "blob"}
        return {**entry, "sha": None} if content is None else {**entry, "content": content.decode()}

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        return self.api.request(method, f"repos/{self.repository}/{path}", body)


def _on_github(found: Mapping[str, Any]) -> ExistingRequest:
    return ExistingRequest(
        number=found["number"],
        title=found["title"],
        body=found["body"] or "",
        url=found["html_url"],
        is_open=found["state"] == "open",
        head=found["head"]["sha"],
    )


@dataclass(frozen=True, slots=True)
class GitLabProposals:
    """Merge requests of a project to its main branch; implements `ProposalHost`."""

    api: HostApi
    project: str
    main_branch: str
    base: Commit

    def find(self, branch: str) -> ExistingRequest | None:
        found = self._ask("GET", f"merge_requests?{urlencode({'source_branch': branch})}")
        # A fork may have a branch of the same name.
        ours = [each for each in found if each["source_project_id"] == each["target_project_id"]]
        return _on_gitlab(ours[0]) if ours and ours[0]["state"] != "merged" else None

    def commit(self, proposal: Proposal) -> str:
        asked = {
            "branch": proposal.branch,
            "start_sha": self.base.object_name,
            "force": True,
            "commit_message": proposal.title,
            "actions": [self._action(*each) for each in sorted(proposal.files.items())],
        }
        return str(self._ask("POST", "repository/commits", asked)["id"])

    def open(self, proposal: Proposal, commit: str) -> str:
        asked = {
            "title": proposal.title,
            "description": proposal.body(commit),
            "source_branch": proposal.branch,
            "target_branch": self.main_branch,
            "remove_source_branch": True,
        }
        return str(self._ask("POST", "merge_requests", asked)["web_url"])

    def edit(self, request: ExistingRequest, title: str, body: str) -> None:
        self._change(request, {"title": title, "description": body})

    def close(self, request: ExistingRequest) -> None:
        self._change(request, {"state_event": "close"})

    def _action(self, path: str, content: bytes | None) -> Mapping[str, str]:
        if content is None:
            return {"action": "delete", "file_path": path}
        listing = ("ls-tree", "--full-tree", "--name-only", self.base.object_name, "--", path)
        return {
            "action": "update" if self.base.checkout.run(*listing) else "create",
            "file_path": path,
            "encoding": "base64",
            "content": base64.b64encode(content).decode(),
        }

    def _change(self, request: ExistingRequest, fields: Mapping[str, str]) -> None:
        self._ask("PUT", f"merge_requests/{request.number}", fields)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        return self.api.request(method, f"projects/{self.project}/{path}", body)


def _on_gitlab(found: Mapping[str, Any]) -> ExistingRequest:
    return ExistingRequest(
        number=found["iid"],
        title=found["title"],
        body=found["description"] or "",
        url=found["web_url"],
        is_open=found["state"] == "opened",
        head=found["sha"],
    )


def proposal_host_of(environment: Mapping[str, str], base: Commit) -> ProposalHost:
    """Return where this run opens pull requests; raise HostError where the environment has none."""
    if environment.get("GITHUB_ACTIONS"):
        return GitHubProposals(
            api=github_api(environment),
            repository=stated(environment, "GITHUB_REPOSITORY"),
            main_branch=_branch_of(base),
            base=base,
        )
    if environment.get("GITLAB_CI"):
        return GitLabProposals(
            api=gitlab_api(environment),
            project=quote(stated(environment, "CI_PROJECT_ID"), safe=""),
            main_branch=_branch_of(base),
            base=base,
        )
    raise HostError(
        "there is no host to open pull requests on; allowed: in GitHub Actions or GitLab CI"
    )


def _branch_of(base: Commit) -> str:
    """Return the branch whose tip a proposal is based on, which is the one that it is for."""
    if (branch := base.branch) is None:
        raise HostError(
            f'"{base.reference}" is no branch, and a pull request is for one; allowed: with '
            "--main-branch, a branch such as refs/remotes/origin/main"
        )
    return branch
