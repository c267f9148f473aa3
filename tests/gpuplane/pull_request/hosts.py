"""Servers on loopback that answer as the documentation of GitHub and GitLab says that these do."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

Kept = TypeVar("Kept", bound="State")

TOKEN = "secret"  # noqa: S105 # of the servers here
COMMIT = "4f2a91c07d5e63b8a1f09c2d7e84b5a6f3d1c0e9"
"""What was pushed last."""
US, OTHERS = 7, 8
"""Who holds the token, and who does not."""
PAGE = 2
"""Comments that the servers tell at once."""


def of_github(url: str, event: str) -> dict[str, str]:
    """Return the variables of a run on GitHub, whose API has this address."""
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_TOKEN": TOKEN,
        "GITHUB_API_URL": url,
        "GITHUB_GRAPHQL_URL": f"{url}/graphql",
        "GITHUB_REPOSITORY": "team/platform",
        "GITHUB_EVENT_PATH": event,
    }


def of_gitlab(url: str) -> dict[str, str]:
    named = {"CI_API_V4_URL": url, "CI_PROJECT_ID": "12", "CI_MERGE_REQUEST_IID": "5"}
    named["CI_COMMIT_SHA"] = COMMIT
    return {"GITLAB_CI": "true", "GITLAB_TOKEN": TOKEN, **named}


@dataclass
class State:
    url: str = ""
    comments: list[dict[str, Any]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    refusal: tuple[int, str] | None = None

    def add(self, body: str, author: int = US) -> None:
        number = 1 + max((each["id"] for each in self.comments), default=0)
        self.comments.append({"id": number, "body": body, "author": author, "hidden": False})

    def at(self, number: int) -> dict[str, Any]:
        return next(each for each in self.comments if each["id"] == number)

    @property
    def shown(self) -> list[tuple[str, bool]]:
        """The comments, and whether each is hidden."""
        return [(each["body"], each["hidden"]) for each in self.comments]


@contextmanager
def serving(handler: type["_Host"]) -> Iterator[State]:
    """Run a host for as long as the context lasts."""
    with serving_state(handler, State()) as state:
        yield state


@contextmanager
def serving_state(handler: type["_Host"], state: Kept) -> Iterator[Kept]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (handler,), {"state": state}))
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Host(BaseHTTPRequestHandler):
    state: State
    token: tuple[str, str]

    def log_message(self, *_arguments: object) -> None:
        pass

    def reply(self, document: object, status: int = 200) -> None:
        content = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"{self.state.url}/elsewhere")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def is_refused(self) -> bool:
        name, value = self.token
        if self.headers[name] != value:
            self.reply({"message": "Bad credentials"}, 401)
        elif self.state.refusal is not None:
            status, said = self.state.refusal
            self.reply({"message": said}, status)
        else:
            return False
        return True


class GitHub(_Host):
    """The pull request 5 of `team/platform`."""

    token = ("Authorization", f"Bearer {TOKEN}")
    _labels = "/repos/team/platform/issues/5/labels"

    def do_GET(self) -> None:
        if not self.is_refused():
            assert self.path == f"{self._labels}?per_page=100"
            self.reply([{"name": each} for each in self.state.labels])

    def do_DELETE(self) -> None:
        if not self.is_refused():
            label = unquote(self.path.removeprefix(f"{self._labels}/"))
            self.state.labels.remove(label)
            self.state.writes.append(f"unlabel {label}")
            self.reply([])

    def do_POST(self) -> None:
        body = self.body()
        if self.is_refused():
            return
        if self.path == self._labels:
            self.state.labels += body["labels"]
            self.state.writes.append(f"label {','.join(body['labels'])}")
            self.reply([])
        else:
            assert self.path == "/graphql"
            self.reply(self._asked(body["query"], body["variables"]))

    def _asked(self, query: str, variables: dict[str, Any]) -> object:
        operation = re.findall(r"\w+Comment|comments", query)[0]
        match operation:
            case "comments":
                where = (variables["owner"], variables["name"], variables["number"])
                if where != ("team", "platform", 5):
                    return {"data": None, "errors": [{"message": f"Could not resolve {where}"}]}
                return {"data": {"repository": {"pullRequest": self._page(variables["after"])}}}
            case "addComment":
                assert variables["subject"] == "PR_5"
                self.state.add(variables["body"])
            case "updateIssueComment":
                self.state.at(int(variables["id"]))["body"] = variables["body"]
            case "minimizeComment":
                self.state.at(int(variables["id"]))["hidden"] = True
            case "unminimizeComment":
                self.state.at(int(variables["id"]))["hidden"] = False
        self.state.writes.append(operation)
        return {"data": {}}

    def _page(self, after: str | None) -> dict[str, Any]:
        start = int(after or 0)
        nodes = [
            {
                "id": str(each["id"]),
                "body": each["body"],
                "isMinimized": each["hidden"],
                "viewerDidAuthor": each["author"] == US,
            }
            for each in self.state.comments[start : start + PAGE]
        ]
        more = start + PAGE < len(self.state.comments)
        info = {"hasNextPage": more, "endCursor": str(start + PAGE)}
        return {"id": "PR_5", "comments": {"pageInfo": info, "nodes": nodes}}


class GitLab(_Host):
    """The merge request 5 of the project 12."""

    token = ("PRIVATE-TOKEN", TOKEN)
    _at = "/projects/12/merge_requests/5"

    def do_GET(self) -> None:
        if self.is_refused():
            return
        parts = urlsplit(self.path)
        if parts.path == "/user":
            self.reply({"id": US})
        elif parts.path == self._at:
            self.reply({"labels": self.state.labels})
        else:
            assert parts.path == f"{self._at}/notes"
            page = int(parse_qs(parts.query)["page"][0])
            self.reply(
                [self._note(each) for each in self.state.comments[(page - 1) * PAGE :]][:PAGE]
            )

    def do_POST(self) -> None:
        body = self.body()
        if not self.is_refused():
            self.state.add(body["body"])
            self.state.writes.append("note")
            self.reply({})

    def do_PUT(self) -> None:
        body = self.body()
        if self.is_refused():
            return
        if self.path == self._at:
            removed = body["remove_labels"].split(",")
            kept = [each for each in self.state.labels if each not in removed]
            self.state.labels = [*kept, *filter(None, body["add_labels"].split(","))]
            self.state.writes.append("relabel")
        else:
            self.state.at(int(self.path.rpartition("/")[2]))["body"] = body["body"]
            self.state.writes.append("rewrite")
        self.reply({})

    def do_DELETE(self) -> None:
        if not self.is_refused():
            self.state.comments.remove(self.state.at(int(self.path.rpartition("/")[2])))
            self.state.writes.append("delete")
            self.reply(None, 204)

    def _note(self, comment: dict[str, Any]) -> dict[str, Any]:
        author = {"id": comment["author"]}
        return {"id": comment["id"], "body": comment["body"], "author": author, "system": False}
