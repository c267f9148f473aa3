"""The manifests of `examples/` in the namespaces that `dist/` makes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from policies.manifest_pod import ManifestPod, manifest_pods
from tests.e2e.control_plane.api_client import ApiClient, refusal
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import EXAMPLES
from tests.e2e.releases.objects import applied, read_release
from tests.e2e.webhook.registration import DENIED, DENIED_BY_WEBHOOK, reason_of

NAMES = sorted(file.stem for file in EXAMPLES.glob("*.yaml"))
DENIED_BY = {"inference-deployment": ["gpu-resource-offered"], "pytorchjob": ["visible-devices"]}
"""The rules that deny an example, where some do."""
COMPONENTS = ("priority-classes", "team-research", "team-recommendations")


@pytest.fixture(scope="module", autouse=True)
def _teams(admin: ApiClient, release: Path) -> Iterator[None]:
    with applied(admin, read_release(release, *COMPONENTS)):
        yield


@pytest.mark.usefixtures("webhook")
@pytest.mark.parametrize("name", NAMES)
def test_the_pods_of_an_example_are_decided_by_the_rules_alone(
    name: str, admin: ApiClient, evidence: Evidence
) -> None:
    documents = from_yaml((EXAMPLES / f"{name}.yaml").read_text())
    pods = [pod for document in documents for pod in manifest_pods(document)]
    denials = [denial for pod in pods if (denial := _denial(admin, name, pod)) is not None]
    assert [denial.partition(": ")[0] for denial in denials] == DENIED_BY.get(name, [])
    evidence.show(
        f"In its team's namespace, examples/{name}.yaml is decided by the rules alone.",
        f"{len(pods) - len(denials)} of {len(pods)} kinds of pods admitted"
        + "".join(f"; denied: {denial}" for denial in denials),
    )


def _denial(client: ApiClient, name: str, pod: ManifestPod) -> str | None:
    """Return the rule that denies a pod, with its message; raise ApiError where another does."""
    error = refusal(client.create, whole_pod(pod, name), dryRun="All")
    if error and DENIED not in error.message and DENIED_BY_WEBHOOK not in error.message:
        raise error
    return reason_of(error) if error else None


def whole_pod(pod: ManifestPod, name: str) -> Document:
    template = pod.template.document
    metadata = {"name": name, **template.get("metadata", {}), "namespace": pod.namespace}
    return {**template, "apiVersion": "v1", "kind": "Pod", "metadata": metadata}
