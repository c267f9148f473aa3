from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.scheduling.gpu_pods import plain_pod
from tests.e2e.webhook.platform_webhook import PlatformWebhook


def test_a_gpu_pod_is_reviewed_once_and_tolerates_the_taints_of_its_pool(
    admin: ApiClient, webhook: PlatformWebhook, calls: tuple[int, int]
) -> None:
    before = webhook.fixes(), webhook.reviews("/validate")
    admitted = admin.create(plain_pod("reviewed", "default", 8), dryRun="All").document
    after = webhook.fixes(), webhook.reviews("/validate")
    keys = [toleration.get("key") for toleration in admitted["spec"]["tolerations"]]
    assert "nvidia.com/gpu" in keys
    assert tuple(late - early for early, late in zip(before, after, strict=True)) == calls
