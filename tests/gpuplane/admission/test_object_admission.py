"""What the API server's policies add to the decision on an object."""

import json

import pytest
import yaml

from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.manifest_file import read_manifest_file
from gpuplane.admission.object_admission import ObjectAdmission, admission_notes
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.admission.review_admission import admit_object_or_review
from policies.engine import Engine
from policies.settings import Settings
from webhook.admission_round import creation_of

SETTINGS = Settings("test")
POLICY = """\
kind: ValidatingAdmissionPolicy
apiVersion: admissionregistration.k8s.io/v1
metadata: {name: sizes}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps, pods]}
  validations:
    - expression: object.metadata.labels.size == "small"
      messageExpression: "object.metadata.labels.size + ' in ' + request.namespace"
---
kind: ValidatingAdmissionPolicyBinding
apiVersion: admissionregistration.k8s.io/v1
spec: {policyName: sizes, validationActions: [ACTION]}
"""
LIST = """\
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: one, labels: {size: small}}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: two, labels: {size: large}}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: three, labels: {}}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: web}
spec:
  template:
    metadata: {labels: {size: large}}
    spec: {containers: [{name: web, image: registry.example.com/web:1}]}
"""
IN_LIST, IN_POD = "/items/1/metadata/labels/size", "/spec/template/metadata/labels/size"


def _admitted(
    text: str, namespace: str | None = None, action: str = "Deny"
) -> list[ObjectAdmission]:
    policies = ObjectPolicies([*yaml.safe_load_all(POLICY.replace("ACTION", action))], SETTINGS)
    rules = ClusterRules(Engine(SETTINGS), policies=policies)
    objects = read_manifest_file(text.encode(), "-")
    return [admit_object_or_review(rules, one, namespace) for one in objects]


@pytest.mark.parametrize(
    ("text", "namespace", "pointer", "sentence"),
    [
        (LIST, None, IN_LIST, "ConfigMap two: denied sizes: large in default."),
        (LIST, "other", IN_LIST, "ConfigMap two: denied sizes: large in other."),
        (DEPLOYMENT, None, IN_POD, "Deployment web: denied sizes: large in web."),
    ],
)
def test_what_a_policy_denies_is_told_at_its_place_in_the_object(
    text: str, namespace: str | None, pointer: str, sentence: str
) -> None:
    (admission,) = _admitted(text, namespace)
    first, *_ = admission.findings
    assert (admission.allowed, first.pointer, first.sentence) == (False, pointer, sentence)


@pytest.mark.parametrize(
    ("action", "effect", "severity"), [("Deny", "denied", "refuse"), ("Warn", "warned", "warn")]
)
def test_what_cannot_be_evaluated_is_audited(action: str, effect: str, severity: str) -> None:
    (admission,) = _admitted(LIST, action=action)
    told = [(each.effect, each.outcome.finding.severity) for each in admission.findings]
    assert told == [(effect, severity), ("audited", "warn")]


REVIEW = json.dumps(creation_of({"metadata": {"name": "web"}}, "web"))


UNNAMED = DEPLOYMENT.replace("name: web, ", "", 1)


@pytest.mark.parametrize(
    ("text", "is_noted"), [(DEPLOYMENT, True), (UNNAMED, False), (REVIEW, False)]
)
def test_an_object_that_is_there_twice_is_noted_by_its_name(text: str, is_noted: bool) -> None:
    notes = admission_notes(_admitted(f"{text}\n---\n{text}"), SETTINGS, "test")
    assert any(notes) == is_noted
