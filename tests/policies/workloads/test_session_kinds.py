from tests.policies.workloads.partial_pods import LIMITS, SPOT, partial_pods


def test_each_option_of_a_workspace_kind_is_a_part() -> None:
    small = {"id": "small", "spec": {"resources": {"requests": {"cpu": "1"}}}}
    large = {"id": "large", "spec": {"resources": LIMITS, "tolerations": SPOT}}
    spec = {
        "podTemplate": {
            "securityContext": {"runAsNonRoot": True},
            "extraVolumes": [{"name": "shm", "emptyDir": {"medium": "Memory"}}],
            "containerSecurityContext": {"privileged": False},
            "options": {"podConfig": {"values": [small, large]}},
        }
    }
    parts = partial_pods("kubeflow.org/v1beta1", "WorkspaceKind", spec)
    place = "/spec/podTemplate/options/podConfig/values"
    assert list(parts) == [f"{place}/0/spec", f"{place}/1/spec"]
    assert parts[f"{place}/1/spec"]["spec"] == {
        "securityContext": {"runAsNonRoot": True},
        "tolerations": SPOT,
        "volumes": [{"name": "shm", "emptyDir": {"medium": "Memory"}}],
        "containers": [
            {"name": "main", "securityContext": {"privileged": False}, "resources": LIMITS}
        ],
    }
