"""Without a webhook, an ephemeral container sees no GPU of the pod that it is added to."""

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import FIXED
from policies.rule_name import RuleName
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.policies import FOREIGN, fixing, judging
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace

VOID = {"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}
PRELOADS_NOTHING = {"name": "LD_PRELOAD"}
"""The API server leaves an empty value out."""
SOMETHING = [{"configMapRef": {"name": "something"}}]
IMAGE = "registry.example.com/cuda:12.9"
UNFIXED = (
    f"{RuleName.VISIBLE_DEVICES}: The container second asks for no GPU, but would see every GPU of "
    "its node if its image sets NVIDIA_VISIBLE_DEVICES. Set NVIDIA_VISIBLE_DEVICES to void."
)


def _pod(name: str, **container: object) -> Document:
    train = {"name": "train", "image": IMAGE, **container}
    spec = {"containers": [train], "automountServiceAccountToken": False}
    return manifest("v1 Pod", name, FOREIGN, spec=spec)


def _wait_until_judged(admin: ApiClient) -> None:
    """Try a pod until the API server, which reads of policies late, refuses it."""
    probe = _pod("probe", env=[{**VOID, "value": "all"}])
    once_seen(lambda: decide(admin, probe).denial)


def _debugger(name: str, **fields: object) -> Document:
    return {"name": name, "image": IMAGE, **fields}


def _debug(admin: ApiClient, pod: Document, *debuggers: Document) -> list[Document]:
    added = {"spec": {"ephemeralContainers": list(debuggers)}}
    made = admin.patch(pod, added, "ephemeralcontainers").document
    found: list[Document] = made["spec"]["ephemeralContainers"]
    return found


def _gpu_pod(name: str) -> Document:
    return _pod(name, resources={"limits": {"nvidia.com/gpu": 1, "memory": "1Gi"}})


def test_one_that_nobody_has_fixed_is_refused(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    settings = policy_settings(platforms["training"])
    with applied(admin, [namespace(FOREIGN), *judging(settings)]):
        _wait_until_judged(admin)
        pod = admin.create(_gpu_pod("debugged")).document
        first = _debugger("first", env=[VOID])
        _debug(admin, pod, first)
        with pytest.raises(ApiError) as refused:
            _debug(admin, pod, first, _debugger("second"))
    assert refused.value.message.partition("denied request: ")[2] == UNFIXED
    evidence.show(
        "The API server by itself refuses to add an ephemeral container to a GPU pod that would "
        "see its GPUs, and lets one pass that closes itself.",
        f"`{UNFIXED}`",
    )


def test_one_is_fixed_as_it_is_added_and_those_before_stay(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    settings = policy_settings(platforms["training"])
    with applied(admin, [namespace(FOREIGN), *judging(settings), *fixing(settings)]):
        _wait_until_judged(admin)
        # It reads of what fixes pods apart.
        once_seen(lambda: decide(admin, _gpu_pod("probe")), lambda found: FIXED in str(found.pod))
        pod = admin.create(_gpu_pod("debugged")).document
        (first,) = _debug(admin, pod, _debugger("first"))
        second, again = _debug(admin, pod, _debugger("second", envFrom=SOMETHING), first)
    assert first["env"] == [VOID]
    assert second["env"] == [VOID, PRELOADS_NOTHING]
    assert again == first
    evidence.show(
        "Without a webhook, the API server fixes ephemeral containers as they are added to a GPU "
        "pod: they see none of its GPUs, and preload nothing.",
        f"{VOID['name']}={VOID['value']}, LD_PRELOAD empty",
    )
