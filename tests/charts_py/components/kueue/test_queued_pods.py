"""Which pods of teams the API server refuses, since they would start past their queue."""

from typing import Any

import pytest

from charts_py.components.admission_policy import Policy
from charts_py.components.kueue.queued_pods import queued_pods
from charts_py.platform.policy_settings import policy_settings
from tests.charts_py.components.kueue.refusals import refusals
from tests.charts_py.fixture_types import Load

KUEUE = "kueue.x-k8s.io"
GROUP, COUNT = f"{KUEUE}/pod-group-name", f"{KUEUE}/pod-group-total-count"
ROLE_HASH, PARENT = f"{KUEUE}/role-hash", f"{KUEUE}/pod-suspending-parent"
PREBUILT, MANAGED = f"{KUEUE}/prebuilt-workload-name", f"{KUEUE}/managed"
LEADER_WORKER_SET = "leaderworkerset.x-k8s.io/leaderworkerset"
SENT = [{"manager": "kubectl", "fieldsV1": {"f:spec": {}, "f:metadata": {"f:annotations": {}}}}]
"""What the API server notes of a pod whose author sets no annotation of Kueue's."""
FORGED = [
    {"manager": "kubectl", "fieldsV1": {"f:metadata": {"f:annotations": {f"f:{ROLE_HASH}": {}}}}}
]
GATED: dict[str, Any] = {
    "labels": {MANAGED: "true", "app": "train"},
    "annotations": {ROLE_HASH: "5f3c"},
    "finalizers": [MANAGED],
}


@pytest.fixture(scope="module")
def policy(example: Load) -> Policy:
    return queued_pods(policy_settings(example("training")))


def _pod(gpus: int = 1, gates: tuple[str, ...] = (), **metadata: Any) -> dict[str, Any]:
    limits = {"nvidia.com/gpu": str(gpus)} if gpus else {"cpu": "1"}
    return {
        "kind": "Pod",
        "metadata": {"name": "pod", "namespace": "team", "managedFields": SENT, **metadata},
        "spec": {
            "containers": [{"name": "main", "resources": {"limits": limits}}],
            "schedulingGates": [{"name": gate} for gate in gates],
        },
    }


def _owner(api_version: str, kind: str, **more: Any) -> list[dict[str, Any]]:
    return [{"apiVersion": api_version, "kind": kind, "name": "owner", "uid": "1", **more}]


def _controller(api_version: str, kind: str) -> list[dict[str, Any]]:
    return _owner(api_version, kind, controller=True)


def _grouped(name: str = "group", **metadata: Any) -> dict[str, Any]:
    return _pod(labels={GROUP: name}, annotations={COUNT: "2", ROLE_HASH: "5f3c"}, **metadata)


@pytest.mark.parametrize(
    ("pod", "word"),
    [
        (_pod(), None),
        (_grouped(), None),
        (_pod(ownerReferences=_owner("batch/v1", "Job")), None),
        (_pod(ownerReferences=_controller("argoproj.io/v1alpha1", "Workflow")), None),
        # A driver of Spark makes such pods; without GPUs there is nothing to count.
        (_pod(gpus=0, ownerReferences=_controller("v1", "Pod")), None),
        # As `kubectl debug --copy-to` makes them.
        (_pod(annotations={ROLE_HASH: "5f3c"}, managedFields=FORGED), None),
        (_pod(ownerReferences=_controller("v1", "Pod")), "ownerReferences"),
        (_pod(ownerReferences=_controller("batch/v1", "Job")), "ownerReferences"),
        (_pod(ownerReferences=_controller("batch/v1beta1", "Job")), "ownerReferences"),
        (_pod(ownerReferences=_controller("apps/v1", "ReplicaSet")), "ownerReferences"),
        (_pod(ownerReferences=_controller("ray.io/v1", "RayCluster")), "ownerReferences"),
        (_pod(gpus=0, annotations={PARENT: LEADER_WORKER_SET}), "pod-suspending-parent"),
        (
            _pod(
                gpus=0,
                annotations={PARENT: LEADER_WORKER_SET},
                ownerReferences=_controller("apps/v1", "ReplicaSet"),
            ),
            "pod-suspending-parent",
        ),
        *(
            (_pod(annotations={PARENT: parent}, ownerReferences=_controller("apps/v1", kind)), word)
            for parent, kind, word in (
                ("deployment", "ReplicaSet", "ownerReferences"),
                ("statefulset", "StatefulSet", "ownerReferences"),
                (LEADER_WORKER_SET, "StatefulSet", "ownerReferences"),
            )
        ),
        (_grouped(managedFields=FORGED), "role-hash"),
        (_grouped(managedFields=[]), "role-hash"),
        (_grouped("statefulset-web-1f2e3"), "pod-group-name"),
        (_pod(annotations={GROUP: "leaderworkerset-serve-0-1f2e3"}), "pod-group-name"),
        (_pod(labels={PREBUILT: "job-others"}), "prebuilt-workload-name"),
        (_pod(annotations={PREBUILT: "job-others"}), "prebuilt-workload-name"),
    ],
)
def test_a_new_pod_says_nothing_by_which_kueue_would_not_count_it(
    policy: Policy, pod: dict[str, Any], word: str | None
) -> None:
    found = refusals(policy, pod)
    assert len(found) == (word is not None)
    assert all(word is not None and word in message for message in found)


BEFORE = _pod(gates=("kueue.x-k8s.io/admission", "example.com/own"), **GATED)


@pytest.mark.parametrize(
    ("pod", "word"),
    [
        (BEFORE, None),
        (_pod(gates=("kueue.x-k8s.io/admission",), **GATED), None),
        (
            _pod(
                gates=("kueue.x-k8s.io/admission",),
                **{**GATED, "labels": {**GATED["labels"], f"{KUEUE}/priority-class": "batch"}},
            ),
            None,
        ),
        (_pod(gates=("example.com/own",), **GATED), "scheduling gates"),
        (_pod(gates=("kueue.x-k8s.io/admission",), **{**GATED, "finalizers": []}), "finalizer"),
        *(
            (_pod(gates=("kueue.x-k8s.io/admission",), **{**GATED, **change}), "leave these")
            for change in (
                {"labels": {"app": "train"}},
                {"labels": {**GATED["labels"], GROUP: "statefulset-web-1f2e3"}},
                {"labels": {**GATED["labels"], "leaderworkerset.sigs.k8s.io/name": "none"}},
                {"annotations": {ROLE_HASH: "main"}},
                {"annotations": {**GATED["annotations"], PREBUILT: "job-others"}},
                {"annotations": {**GATED["annotations"], PARENT: LEADER_WORKER_SET}},
            )
        ),
        (
            _pod(
                gates=("kueue.x-k8s.io/admission",),
                ownerReferences=_controller("batch/v1", "Job"),
                **GATED,
            ),
            "ownerReferences",
        ),
    ],
)
def test_what_kueue_has_put_on_a_pod_stays(
    policy: Policy, pod: dict[str, Any], word: str | None
) -> None:
    found = refusals(policy, pod, BEFORE)
    assert len(found) == (word is not None)
    assert all(word is not None and word in message for message in found)


def test_what_controls_a_pod_stays(policy: Policy) -> None:
    controlled = {**GATED, "ownerReferences": _controller("apps/v1", "StatefulSet")}
    assert refusals(policy, _pod(**controlled), _pod(**controlled)) == []
    (message,) = refusals(policy, _pod(**GATED), _pod(**controlled))
    assert message == (
        "Kueue counts a pod with what controls it; leave its metadata.ownerReferences."
    )
