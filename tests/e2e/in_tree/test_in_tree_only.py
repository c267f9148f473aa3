"""Without a webhook, the API server can afford to fix pods by its own policies."""

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpus.platform_names import FIXED
from tests.e2e.claims.cluster import admitting, rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.policies import FOREIGN, surroundings
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied

CONTAINERS, GPUS = 50, 8


def _many(containers: int) -> Document:
    """Return a pod of which eight containers ask for a GPU, and all need fixes."""
    memory = {"memory": "1Gi"}
    made = [
        {
            "name": f"container-{n}",
            "image": "registry.example.com/train:1.4",
            "resources": {"limits": memory | ({"nvidia.com/gpu": 1} if n < GPUS else {})},
            "envFrom": [{"configMapRef": {"name": "settings"}}],
        }
        for n in range(containers)
    ]
    spec = {"automountServiceAccountToken": False, "containers": made}
    return manifest("v1 Pod", "many", FOREIGN, spec=spec)


def test_a_pod_of_many_containers_is_fixed(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    platform = admitting(platforms["training"], Admission.IN_TREE_ONLY)
    with applied(admin, [*surroundings(platform), *rendered(platform, "admission-policies")]):
        pod = once_seen(lambda: decide(admin, _many(CONTAINERS)).pod, lambda pod: FIXED in str(pod))
    assert pod is not None
    fixed = pod["annotations"][FIXED].split(",")
    assert {*fixed} > {"shared-memory", "visible-devices", "ld-preload"}
    assert all(each["volumeMounts"] and each["env"] for each in pod["spec"]["containers"])
    evidence.show(
        f"The API server can afford to fix a pod of {CONTAINERS} containers by its own policy.",
        ", ".join(fixed),
    )
