"""What the API server refuses in resources; the same rows are tried on an API server."""

from typing import Any

from policies.admission import Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.manifest_admission import ManifestAdmission, admit_manifest
from policies.settings import Settings
from tests.policies.conftest import TODAY
from tests.rows import rows_beside

each_row = rows_beside(__file__, "resource_validation.yaml")


def validated(document: Document) -> ManifestAdmission:
    """Return what is left of admission where there are no rules."""
    return admit_manifest(Engine(Settings("test"), ()), document, Review("default", TODAY))


def _template(resources: Any) -> Document:
    image = "registry.example.com/train:1.4"
    return {"spec": {"containers": [{"name": "a", "image": image, "resources": resources}]}}


def _told(kind: str, api_version: str, fields: Document) -> list[str]:
    found = [*validated({"apiVersion": api_version, "kind": kind, **fields}).outcomes]
    assert {each.effect for each in found} <= {Effect.DENIED}
    return [f"{each.finding.path}: {each.finding.message} {each.finding.remedy}" for each in found]


@each_row("found")
def test_this_is_refused_in_a_template_of_kubernetes_itself_and_nothing_else(
    resources: Any, found: list[str]
) -> None:
    assert _told("Job", "batch/v1", {"spec": {"template": _template(resources)}}) == found


@each_row("found")
def test_the_same_is_refused_in_a_pod(resources: Any, found: list[str]) -> None:
    of_pod = [each.replace("the Job", "the pod").replace("spec.template.", "") for each in found]
    assert _told("Pod", "v1", _template(resources)) == of_pod
