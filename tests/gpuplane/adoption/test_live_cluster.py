"""Reading a cluster, whose place a small API server takes."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from gpuplane.adoption.found_object import ClusterReadError

pytest.importorskip("kubernetes", reason="the extra cluster is not installed")

from gpuplane.adoption.live_cluster import READ_KINDS, LiveCluster
from tests.gpuplane.messages import message_of

PAGE = Path(__file__).parents[3] / "docs" / "adopting.md"
NODE = {"metadata": {"name": "a"}}
NODES = {"apiVersion": "v1", "kind": "NodeList", "items": [NODE]}
GROUPS = {kind.partition(".")[2] for kind in READ_KINDS} - {""}
Answers = dict[str, tuple[int, dict[str, Any]]]
"""Status and content by path; what is not there is not found."""
Answering = Callable[[Answers], LiveCluster]


def _group(name: str) -> dict[str, Any]:
    return {"preferredVersion": {"groupVersion": f"{name}/v1"}}


ALL_GROUPS: Answers = {f"/apis/{name}": (200, _group(name)) for name in GROUPS}


class _Server(ThreadingHTTPServer):
    """Answers requests, and keeps them."""

    def __init__(self) -> None:
        self.answers: Answers = {}
        self.asked: list[tuple[str, dict[str, list[str]]]] = []
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        self.server.asked.append((parts.path, query))
        page = f"{parts.path}?{query['continue'][0]}" if "continue" in query else parts.path
        status, content = self.server.answers.get(page, (404, {}))
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def server() -> Iterator[_Server]:
    with _Server() as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def _kubeconfig(folder: Path, port: int) -> Path:
    file = folder / "some.kubeconfig"
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
        "contexts": [{"name": "training", "context": {"cluster": "c", "user": "u"}}],
    }
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    return file


@pytest.fixture
def cluster(server: _Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Answering:
    """Return the function that makes a cluster of its answers."""
    _kubeconfig(tmp_path, server.server_port)
    monkeypatch.chdir(tmp_path)

    def make(answers: Answers) -> LiveCluster:
        server.answers = answers
        return LiveCluster(Path("some.kubeconfig"), "training")

    return make


def test_every_kind_is_listed_and_nothing_else_is_asked(
    cluster: Answering, server: _Server
) -> None:
    found = cluster({**ALL_GROUPS, "/api/v1/nodes": (200, NODES)}).read()
    assert [(str(one), one.document["apiVersion"], one.source) for one in found.objects] == [
        ("Node a", "v1", "context training of some.kubeconfig")
    ]
    listed: list[tuple[str, dict[str, list[str]]]] = []
    for kind in READ_KINDS:
        resource, _, group = kind.partition(".")
        listed += [(f"/apis/{group}", {})] if group else []
        root = f"/apis/{group}/v1" if group else "/api/v1"
        listed.append((f"{root}/{resource}", {"limit": ["500"]}))
    config_maps = ("amazon-vpc-cni", "default-mig-parted-config", "gpuplane-webhook-settings")
    assert server.asked == [
        *listed,
        *(
            ("/api/v1/configmaps", {"limit": ["500"], "fieldSelector": [f"metadata.name={name}"]})
            for name in config_maps
        ),
    ]


def test_a_list_is_read_to_its_last_page(cluster: Answering) -> None:
    second = {**NODES, "items": [{"metadata": {"name": "b"}}]}
    found = cluster(
        {
            "/api/v1/nodes": (200, {**NODES, "metadata": {"continue": "more"}}),
            "/api/v1/nodes?more": (200, second),
        }
    ).read()
    assert [str(one) for one in found.objects] == ["Node a", "Node b"]


def test_a_kind_that_a_cluster_lacks_is_passed_over(cluster: Answering) -> None:
    found = cluster({"/api/v1/nodes": (200, NODES), "/apis/apps": (200, _group("apps"))}).read()
    assert [str(one) for one in found.objects] == ["Node a"]


def test_all_that_may_not_be_listed_is_told_at_once(cluster: Answering) -> None:
    denied = {f"/api/v1/{one}": (403, dict[str, Any]()) for one in ("nodes", "resourcequotas")}
    assert message_of(ClusterReadError, cluster(denied).read) == (
        "context training of some.kubeconfig: no right to read nodes, resourcequotas; "
        "docs/adopting.md has the ClusterRole that allows it"
    )


def test_a_cluster_that_does_not_answer_is_asked_once(cluster: Answering, server: _Server) -> None:
    assert message_of(ClusterReadError, cluster({"/api/v1/nodes": (500, {})}).read) == (
        "context training of some.kubeconfig: cannot read nodes: 500 Internal Server Error; "
        "look at kubectl config get-contexts, and whether the cluster can be reached"
    )
    assert len(server.asked) == 1


def test_a_cluster_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    with pytest.raises(ClusterReadError, match=r"cannot read nodes: .*Connection refused"):
        LiveCluster(_kubeconfig(tmp_path, 1), "training").read()


def test_a_missing_kubeconfig_says_what_else_there_is() -> None:
    assert message_of(ClusterReadError, LiveCluster(Path("/nowhere/config")).read) == (
        "the current context of /nowhere/config: Invalid kube-config file. No configuration found; "
        "name another one, or read an export with --from"
    )


def test_objects_are_read_by_name(cluster: Answering) -> None:
    resources = [
        {"name": "pods", "kind": "Pod", "namespaced": True},
        {"name": "pods/status", "kind": "Pod", "namespaced": True},
        {"name": "nodes", "kind": "Node", "namespaced": False},
    ]
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b", "namespace": "c"}}
    unknown = {"apiVersion": "example.com/v1", "kind": "X", "metadata": {"name": "d"}}
    gone = {**node, "metadata": {"name": "gone"}}
    answers: Answers = {
        "/api/v1": (200, {"resources": resources}),
        "/api/v1/nodes/a": (200, node),
        "/api/v1/namespaces/c/pods/b": (200, pod),
    }
    found = cluster(answers).read_named([node, pod, gone, unknown])
    assert [one.document for one in found] == [node, pod]


def test_an_object_that_may_not_be_read_is_told(cluster: Answering) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
    listed = {"resources": [{"name": "nodes", "kind": "Node", "namespaced": False}]}
    with pytest.raises(ClusterReadError, match="no right to read the objects that would be synced"):
        cluster({"/api/v1": (200, listed), "/api/v1/nodes/a": (403, {})}).read_named([node])


def test_the_page_has_the_rights_that_it_takes() -> None:
    (block,) = re.findall(r"```yaml\n(apiVersion: rbac.*?)```", PAGE.read_text(), re.DOTALL)
    role = next(
        one for one in yaml.safe_load_all(block) if one["metadata"]["name"] == "gpuplane-import"
    )
    granted = {
        f"{resource}.{group}".rstrip(".")
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }
    assert granted == {*READ_KINDS, "configmaps"}
    assert {tuple(rule["verbs"]) for rule in role["rules"]} == {("list",)}
