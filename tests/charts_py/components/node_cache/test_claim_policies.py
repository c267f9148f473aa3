"""Pods of teams read what nodes keep, and nobody in a team deletes a claim of it."""

import pytest

from charts_py.components.node_cache.claim_policies import KEPT, READ_ONLY
from tests.charts_py.components.evaluated import OF_TEAMS, about
from tests.charts_py.components.kueue.refusals import refusals

REFUSED = ["A pod mounts a claim node-cache.* with readOnly: true; other pods read the same files."]
CACHED = "node-cache.h100.qwen"


@pytest.mark.parametrize(
    ("volume", "refused"),
    [
        ({"persistentVolumeClaim": {"claimName": CACHED, "readOnly": True}}, []),
        ({"persistentVolumeClaim": {"claimName": CACHED, "readOnly": False}}, REFUSED),
        ({"persistentVolumeClaim": {"claimName": CACHED}}, REFUSED),
        ({"persistentVolumeClaim": {"claimName": "chat-cache"}}, []),
        ({"emptyDir": {}}, []),
    ],
)
def test_a_pod_mounts_what_nodes_keep_to_read_it(
    volume: dict[str, object], refused: list[str]
) -> None:
    pod = {"kind": "Pod", "metadata": {"namespace": "serving"}, "spec": {"volumes": [volume]}}
    assert refusals(READ_ONLY, pod) == refused


def test_a_pod_without_volumes_is_taken() -> None:
    assert (
        refusals(READ_ONLY, {"kind": "Pod", "metadata": {"namespace": "serving"}, "spec": {}}) == []
    )


def test_the_policies_are_about_new_pods_of_teams_and_claims_that_go() -> None:
    of_pods, of_claims = (one.spec()["matchConstraints"] for one in (READ_ONLY, KEPT))
    assert of_pods == about(OF_TEAMS, [""], ["v1"], ["pods"], "CREATE")
    assert of_claims == about(OF_TEAMS, [""], ["v1"], ["persistentvolumeclaims"], "DELETE")
