"""How Kubeflow Trainer is installed."""

from charts_py.components.kubeflow_trainer import KUBEFLOW_TRAINER, MANAGER
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith


def test_it_comes_after_jobset() -> None:
    assert "jobset" in KUBEFLOW_TRAINER.depends_on


def test_its_service_account_is_that_which_policies_name(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    _, release = KUBEFLOW_TRAINER.plan(platform_after("training"))
    (account,) = (each for each in rendered(release) if each["kind"] == "ServiceAccount")
    assert account["metadata"]["name"] == MANAGER
