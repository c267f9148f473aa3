"""Pods of a namespace read the models that nodes keep for it, on those nodes, and no others do."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.load import load_platform
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient, refusal, why_not
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import create_all, placements, pods_by_node

READER, OTHER = "search-serving", "assistants-serving"
CLAIM = "node-cache.l40s.ranking"
VOLUME = f"node-cache.{READER}.l40s.ranking"
COMPONENTS = ("priority-classes", "gpu-roles", "node-cache-volumes", "team-search")


@pytest.fixture(scope="module")
def cached(admin: ApiClient) -> Iterator[ApiClient]:
    """A cluster with a node of each pool, whose teams have their claims."""
    platform = load_platform(SAMPLES / "node-cache.yaml", None)
    nodes = [node for pool in ("h100", "l40s") for node in nodes_of(platform, pool, 1)]
    objects = rendered(platform, *COMPONENTS, "team-assistants")
    with joined(admin, *nodes), applied(admin, objects):
        yield admin


def _claim(name: str, namespace: str) -> Document:
    return manifest("v1 PersistentVolumeClaim", name, namespace)


def _reader(name: str, claim: str, **mode: bool) -> Document:
    pod = gpu_pod(name, READER, {GPU: 1}, cpu="1", priority="inference")
    source = {"claimName": claim, **mode}
    pod["spec"]["volumes"] = [{"name": "weights", "persistentVolumeClaim": source}]
    return pod


def _is_bound(claim: Document) -> bool:
    return bool(claim.get("status", {}).get("phase") == "Bound")


@pytest.mark.parametrize(
    ("namespace", "name"),
    [
        (READER, CLAIM),
        (READER, "node-cache.h100.ranking"),
        (READER, "node-cache.h100.qwen3-32b"),
        (OTHER, "node-cache.h100.qwen3-32b"),
    ],
)
def test_a_claim_is_bound_to_the_volume_that_is_kept_for_it(
    cached: ApiClient, namespace: str, name: str
) -> None:
    bound = cached.wait_for(_claim(name, namespace), _is_bound)
    assert bound["spec"]["volumeName"] == name.replace("node-cache", f"node-cache.{namespace}")
    assert bound["status"]["accessModes"] == ["ReadOnlyMany"]


def test_a_pod_with_a_claim_lands_on_the_nodes_of_its_pool(cached: ApiClient) -> None:
    cached.wait_for(_claim(CLAIM, READER), _is_bound)
    create_all(cached, [_reader(f"reader-{number}", CLAIM, readOnly=True) for number in range(2)])
    assert pods_by_node(placements(cached, READER, 2)) == {"node-cache-l40s-0": 2}


def test_another_namespace_does_not_get_the_volume(cached: ApiClient) -> None:
    claim = _claim("thief", OTHER)
    claim["spec"] = {
        "accessModes": ["ReadOnlyMany"],
        "resources": {"requests": {"storage": "1Gi"}},
        "storageClassName": "node-cache",
        "volumeName": VOLUME,
    }
    member = cached.impersonating("someone", "assistants", "system:authenticated")
    once_seen(lambda: why_not(member.create, claim), lambda why: not why)
    said = once_seen(
        lambda: [
            event["message"]
            for event in cached.find("v1", "Event", OTHER)
            if event["involvedObject"]["name"] == "thief"
        ]
    )
    assert said == [f'volume "{VOLUME}" already bound to a different claim.']
    assert not _is_bound(cached.get("v1", "PersistentVolumeClaim", "thief", OTHER))


def test_a_pod_that_could_write_is_refused(cached: ApiClient) -> None:
    refused = cached.wait_until_refused(_reader("writer", CLAIM))
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message.endswith(
        "denied request: A pod mounts a claim node-cache.* with readOnly: true; other pods read "
        "the same files."
    )


def test_a_member_deletes_no_claim_that_is_the_platforms(cached: ApiClient) -> None:
    member = cached.impersonating("someone", "search", "system:authenticated")
    own = _claim("own", READER)
    own["spec"] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    once_seen(lambda: why_not(member.create, own), lambda why: not why)
    member.delete(own)
    refused = refusal(member.delete, _claim(CLAIM, READER))
    assert refused is not None
    assert refused.message.endswith(
        "denied request: Claims node-cache.* are the platform's, which says in its cluster file "
        "who reads which model."
    )
    cached.delete(_claim("node-cache.h100.ranking", READER))
