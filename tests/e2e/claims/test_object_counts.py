"""A team fills the control plane with no more pods and objects than its namespace may have."""

from charts_py.objects.document import Document
from tests.e2e.claims.cluster import load_claim_cluster, rendered
from tests.e2e.control_plane.api_client import ApiClient, why_not
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.placements import PATIENCE_SECONDS

NAMESPACE = "claims-training"
MEMBER = ("someone@example.com", "research", "system:authenticated")
FEW = {"pods": "2", "count/configmaps": "2"}
"""The certificate of the API server is one of the ConfigMaps."""


def team() -> list[Document]:
    """Return the objects of a team, which may have few of what it makes many of."""
    objects = rendered(load_claim_cluster(), "priority-classes", "gpu-roles", "team-research")
    for each in objects:
        if (each["kind"], each["metadata"]["name"]) == ("ResourceQuota", "objects"):
            assert FEW.keys() <= each["spec"]["hard"].keys()
            each["spec"]["hard"] |= FEW
    return objects


def config_map(name: str) -> Document:
    return manifest("v1 ConfigMap", name, NAMESPACE, data={"a": "b"})


def million() -> Document:
    """Return what makes a million pods that ask for nothing."""
    security = {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "runAsNonRoot": True,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    nothing = {each: {"cpu": "0", "memory": "0"} for each in ("requests", "limits")}
    container = {"name": "a", "image": "registry.example.com/a:1", "securityContext": security}
    spec = {
        "replicas": 1_000_000,
        "selector": {"app": "million"},
        "template": {
            "metadata": {"labels": {"app": "million"}},
            "spec": {"containers": [{**container, "resources": nothing}]},
        },
    }
    return manifest("v1 ReplicationController", "million", NAMESPACE, spec=spec)


def failure(controller: Document) -> str:
    conditions = controller.get("status", {}).get("conditions", [])
    found = (each["message"] for each in conditions if each["type"] == "ReplicaFailure")
    message: str = next(found, "")
    return message


def test_a_team_makes_no_more_pods_and_objects_than_its_quota_counts(admin: ApiClient) -> None:
    member = admin.impersonating(*MEMBER)
    with applied(admin, team()):
        counted = manifest("v1 ResourceQuota", "objects", NAMESPACE)
        admin.wait_for(
            counted,
            lambda found: found.get("status", {}).get("used", {}).get("count/configmaps") == "1",
            PATIENCE_SECONDS,
        )
        made = why_not(member.create, config_map("first"))
        refused = why_not(member.create, config_map("second"))
        member.create(million())
        full = admin.wait_for(million(), lambda found: failure(found) != "", PATIENCE_SECONDS)
        pods = admin.find("v1", "Pod", NAMESPACE)
        admin.delete(million())
    assert made == ""
    assert refused == (
        'configmaps "second" is forbidden: exceeded quota: objects, requested: count/configmaps=1,'
        " used: count/configmaps=2, limited: count/configmaps=2"
    )
    assert "exceeded quota: objects, requested: " in failure(full)
    assert len(pods) == 2
