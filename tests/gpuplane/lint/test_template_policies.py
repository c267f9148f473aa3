"""What policies of the API server say of the pods of templates."""

import datetime as dt
from typing import Any

import pytest

from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.manifest_file import read_manifests
from gpuplane.admission.object_admission import admit_object
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.lint_run import ClusterFacts
from gpuplane.lint.object_findings import admission_findings
from policies.admission import Review
from policies.engine import Engine
from policies.settings import NamespaceSettings, Settings

SETTINGS = Settings("test", namespaces={"train": NamespaceSettings("research", "training")})
JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "spec": {
        "backoffLimit": 0,
        "template": {
            "spec": {
                "restartPolicy": "Never",
                "containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": 1}}}],
            }
        },
    },
}


def _rules_with(*validations: dict[str, str], **spec: Any) -> ClusterRules:
    """Return the rules of a cluster with a policy on pods."""
    api = {"apiVersion": "admissionregistration.k8s.io/v1", "metadata": {"name": "pods"}}
    rule = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": ["pods"],
    }
    spec |= {"matchConstraints": {"resourceRules": [rule]}, "validations": [*validations]}
    bound = {"policyName": "pods", "validationActions": ["Deny"]}
    policies = [
        {**api, "kind": "ValidatingAdmissionPolicy", "spec": spec},
        {**api, "kind": "ValidatingAdmissionPolicyBinding", "spec": bound},
    ]
    return ClusterRules(Engine(SETTINGS), policies=ObjectPolicies(policies, SETTINGS))


NO_GPUS = {"expression": "!has(object.spec.containers)", "message": "a pod has none"}
BY_WHOM = {"expression": "authorizer.group('').resource('pods').check('create').allowed()"}
POD_TEMPLATE = "/spec/template/spec/containers"


def test_a_policy_of_the_api_server_judges_the_pods_of_a_template() -> None:
    rules = _rules_with(NO_GPUS, BY_WHOM)
    review = Review("train", dt.date(2026, 11, 26))
    found = admission_findings(ClusterJudge(ClusterFacts("test", "1.36"), rules), JOB, review, None)
    assert [each[1:] for _, each in found if each.rule == "admission-policies"] == [
        ("error", "Job", POD_TEMPLATE, "By the policy pods: a pod has none.", "", ())
    ]


def test_admit_says_what_a_policy_refuses_of_the_pods_of_a_template() -> None:
    spec = "spec: {template: {spec: {containers: []}}}"
    text = f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\n{spec}"
    (one,) = read_manifests(text.encode(), "a.yaml").objects
    admitted = admit_object(_rules_with(NO_GPUS), one, "train", dt.date(2026, 11, 26))
    assert [(each.sentence, each.pointer) for each in admitted.findings] == [
        ("Deployment a: denied pods: a pod has none.", POD_TEMPLATE)
    ]
    assert not admitted.allowed


@pytest.mark.parametrize(
    "left",
    [
        "object.spec.containers.all(c, has(c.imagePullPolicy))",
        "object.spec.containers.all(c, has(c.resources.limits.memory))",
        "has(object.spec.serviceAccountName)",
    ],
)
def test_what_the_api_server_fills_into_a_pod_is_not_judged_of_a_template(left: str) -> None:
    rules = _rules_with({"expression": left}, NO_GPUS)
    review = Review("train", dt.date(2026, 11, 26))
    found = admission_findings(ClusterJudge(ClusterFacts("test", "1.36"), rules), JOB, review, None)
    told = [each.message for _, each in found if each.rule == "admission-policies"]
    assert told == ["By the policy pods: a pod has none."]


@pytest.mark.parametrize("part", ["matchConditions", "variables"])
def test_a_policy_on_who_creates_a_pod_is_not_judged_of_pods_of_templates(part: str) -> None:
    rules = _rules_with(
        NO_GPUS, **{part: [{"name": "a", "expression": "request.userInfo.username == ''"}]}
    )
    review = Review("train", dt.date(2026, 11, 26))
    found = admission_findings(ClusterJudge(ClusterFacts("test", "1.36"), rules), JOB, review, None)
    assert [each for _, each in found if each.rule == "admission-policies"] == []
