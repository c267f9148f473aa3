from policies.rules.time_sliced_inference import RULE
from tests.policies.conftest import found, gpu_pod, message

SHARED = {"resources": {"limits": {"nvidia.com/gpu.shared": 1}}}


def test_inference_on_a_time_sliced_gpu_is_warned_about() -> None:
    assert message(found(RULE, gpu_pod(SHARED), "serving")) == (
        "/spec/containers/0/resources/limits/nvidia.com~1gpu.shared "
        "The pod serves users on nvidia.com/gpu.shared, where pods take "
        "turns on a GPU. Use a whole GPU or a MIG instance, which no other pod delays."
    )


def test_other_purposes_and_other_gpus_pass() -> None:
    assert found(RULE, gpu_pod(SHARED), "training") == []
    assert found(RULE, gpu_pod(), "serving") == []
