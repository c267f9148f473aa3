from policies.rules.host_ipc import RULE
from tests.policies.conftest import found, gpu_pod, message


def test_the_nodes_memory_is_refused() -> None:
    assert message(found(RULE, gpu_pod(hostIPC=True))) == (
        "/spec/hostIPC The pod sets spec.hostIPC, which shares memory with the whole node. "
        "Remove it: /dev/shm is sized for the pod."
    )


def test_without_it_a_pod_passes() -> None:
    assert found(RULE, gpu_pod(hostIPC=False)) == []
