"""Servers on loopback that hold the branches and pull requests of one repository."""

import base64
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.gpuplane.pull_request.hosts import GitHub, GitLab, State

ADDRESS = "https://host.example/team/platform/5"


@dataclass
class Request:
    branch: str
    title: str
    body: str
    target: str
    is_open: bool = True
    is_merged: bool = False
    is_of_fork: bool = False


@dataclass
class Repository(State):
    branches: dict[str, dict[str, str | None]] = field(default_factory=dict)
    """The files that the commit of each branch changed."""
    heads: dict[str, str] = field(default_factory=dict)
    """The last commit of each branch."""
    requests: list[Request] = field(default_factory=list)
    staged: dict[str, str | None] = field(default_factory=dict)

    def of_branch(self, branch: str) -> list[tuple[int, Request]]:
        """Return the pull requests of a branch with their numbers, the latest first."""
        found = enumerate(self.requests, start=5)
        return [(number, each) for number, each in found if each.branch == branch][::-1]

    def pushed(self, branch: str, files: dict[str, str | None]) -> str:
        """Have a branch hold another commit, and return that."""
        self.branches[branch] = files
        self.heads[branch] = f"{branch}@{self.heads.get(branch, '')}"
        return self.heads[branch]

    def at_number(self, path: str) -> Request:
        return self.requests[int(path.rpartition("/")[2]) - 5]


def changed(request: Request, body: dict[str, Any]) -> None:
    request.title = body.get("title", request.title)
    request.body = body.get("body", body.get("description", request.body))
    request.is_open = request.is_open and not {"state", "state_event"} & body.keys()


class GitHubRepository(GitHub, BaseHTTPRequestHandler):
    """The repository `team/platform`."""

    state: Repository

    def do_GET(self) -> None:
        if self.is_refused():
            return
        parts = urlsplit(self.path)
        if parts.path == "/repos/team/platform/pulls":
            asked = parse_qs(parts.query)
            assert asked["state"] == ["all"]
            branch = asked["head"][0].removeprefix("team:")
            self.reply(
                [
                    {"number": number, "title": each.title, "body": each.body, "html_url": ADDRESS}
                    | {"head": self._head(each), "state": "open" if each.is_open else "closed"}
                    | {"merged_at": "2026-07-10T12:00:00Z" if each.is_merged else None}
                    for number, each in self.state.of_branch(branch)
                ]
            )
        else:
            name = parts.path.removeprefix("/repos/team/platform/git/matching-refs/heads/")
            found = (each for each in self.state.branches if each.startswith(name))
            self.reply([{"ref": f"refs/heads/{each}"} for each in found])

    def do_POST(self) -> None:
        body = self.body()
        if self.is_refused():
            return
        match self.path.removeprefix("/repos/team/platform/"):
            case "git/trees":
                entries = body["tree"]
                self.state.staged = {each["path"]: each.get("content") for each in entries}
                assert len(body["base_tree"]) == 40
                self.reply({"sha": "tree"}, 201)
            case "git/commits":
                assert body["tree"] == "tree"
                assert len(body["parents"][0]) == 40
                self.reply({"sha": f"commit {len(self.state.writes)}"}, 201)
            case "git/refs":
                self._move(body["ref"].removeprefix("refs/heads/"), body["sha"])
            case "pulls":
                asked = (body[each] for each in ("head", "title", "body", "base"))
                self.state.requests.append(Request(*asked))
                self.state.writes.append("open")
                self.reply({"html_url": ADDRESS}, 201)

    def do_PATCH(self) -> None:
        body = self.body()
        if self.is_refused():
            return
        path = self.path.removeprefix("/repos/team/platform/")
        if path.startswith("git/refs/heads/"):
            assert body["force"]
            self._move(path.removeprefix("git/refs/heads/"), body["sha"])
        else:
            changed(self.state.at_number(path), body)
            self.state.writes.append("edit")
            self.reply({})

    def _head(self, request: Request) -> dict[str, object]:
        repository = "team/platform-fork" if request.is_of_fork else "team/platform"
        sha = self.state.heads.get(request.branch, "")
        return {"ref": request.branch, "sha": sha, "repo": {"full_name": repository}}

    def _move(self, branch: str, sha: str) -> None:
        self.state.branches[branch], self.state.heads[branch] = self.state.staged, sha
        self.state.writes.append("commit")
        self.reply({}, 201)


def state_of(request: Request) -> str:
    """Return the state of a merge request, in GitLab's words."""
    return "merged" if request.is_merged else "opened" if request.is_open else "closed"


class GitLabProject(GitLab, BaseHTTPRequestHandler):
    """The project 12."""

    state: Repository

    def do_GET(self) -> None:
        if self.is_refused():
            return
        parts = urlsplit(self.path)
        assert parts.path == "/projects/12/merge_requests"
        asked = parse_qs(parts.query)
        self.reply(
            [
                {"iid": number, "title": each.title, "description": each.body, "web_url": ADDRESS}
                | {"source_project_id": 13 if each.is_of_fork else 12, "target_project_id": 12}
                | {"state": state_of(each), "sha": self.state.heads.get(each.branch, "")}
                for number, each in self.state.of_branch(asked["source_branch"][0])
            ]
        )

    def do_POST(self) -> None:
        body = self.body()
        if self.is_refused():
            return
        if self.path == "/projects/12/repository/commits":
            assert body["force"]
            assert len(body["start_sha"]) == 40
            assert {each["action"] for each in body["actions"]} == {"update"}
            actions = body["actions"]
            files = {each["file_path"]: base64.b64decode(each["content"]) for each in actions}
            decoded = {path: content.decode() for path, content in files.items()}
            self.state.writes.append("commit")
            self.reply({"id": self.state.pushed(body["branch"], {**decoded})}, 201)
        else:
            assert self.path == "/projects/12/merge_requests"
            assert body["remove_source_branch"]
            names = ("source_branch", "title", "description", "target_branch")
            self.state.requests.append(Request(*(body[each] for each in names)))
            self.state.writes.append("open")
            self.reply({"web_url": ADDRESS}, 201)

    def do_PUT(self) -> None:
        body = self.body()
        if not self.is_refused():
            changed(self.state.at_number(self.path), body)
            self.state.writes.append("edit")
            self.reply({})
