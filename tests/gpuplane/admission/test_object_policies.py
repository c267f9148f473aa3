"""What the API server's policies say of an object that a team creates."""

from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.objects.document import Document
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.admission.policy_scope import BoundPolicy, concerns_request
from policies.document import Json
from policies.settings import NamespaceSettings, Settings
from tests.rows import rows_beside

each_row = rows_beside(__file__, "object_policies.yaml")
SETTINGS = Settings(
    cluster="test", namespaces={"train": NamespaceSettings(team="research", purpose="training")}
)
SENT: Document = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "sent", "labels": {"app": "sent"}},
    "data": {"size": "small"},
}
RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["*"]}


def _policies(policy: dict[str, Any], binding: dict[str, Any] | None) -> list[Document]:
    api = {"apiVersion": "admissionregistration.k8s.io/v1", "metadata": {"name": "p"}}
    spec = {"matchConstraints": {"resourceRules": [RULE]}, **policy}
    bound = {"policyName": "p", "validationActions": ["Deny"], **(binding or {})}
    made: list[Document] = [{**api, "kind": "ValidatingAdmissionPolicy", "spec": spec}]
    if binding is not None:
        made.append({**api, "kind": "ValidatingAdmissionPolicyBinding", "spec": bound})
    return made


@each_row("said")
def test_a_policy_says_this_of_an_object(
    policy: dict[str, Any], binding: dict[str, Any] | None, found: list[str]
) -> None:
    policies = ObjectPolicies(_policies(policy, binding), SETTINGS)
    said = policies.findings(SENT, "train")
    assert [f"{each.effect} {each.pointer}: {each.message}" for each in said] == found


def test_long_lists_are_not_evaluated() -> None:
    policies = ObjectPolicies(_policies({"validations": [{"expression": "false"}]}, {}), SETTINGS)
    told = [
        *policies.findings({**SENT, "data": dict.fromkeys(map(str, range(500)), "")}, "train"),
        *policies.findings({**SENT, "data": {"listed": [""] * 501}}, "train"),
    ]
    why = "since something in it has 501 members, and is evaluated with up to 500"
    assert [(each.effect, each.message) for each in told] == [
        ("denied", "it fails false."),
        ("warned", f"what it says of this is not known here, {why}."),
    ]


def test_which_policies_concern_a_kind_in_a_namespace_is_found_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[str]()

    def concerns(bound: BoundPolicy, request: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
        asked.append(request["name"])
        return concerns_request(bound, request, labels)

    monkeypatch.setattr("gpuplane.admission.object_policies.concerns_request", concerns)
    selected = {"matchResources": {"objectSelector": {"matchLabels": {"app": "a"}}}}
    policies = ObjectPolicies(_policies({}, selected), SETTINGS)
    named = [{**SENT, "metadata": {"name": name, "labels": {"app": name}}} for name in "aba"]
    assert [len(policies.concerning(one, "train")) for one in named] == [1, 0, 1]
    assert asked == ["a"]


def test_a_policy_on_names_is_asked_of_each_name() -> None:
    rule = {"matchConstraints": {"resourceRules": [{**RULE, "resourceNames": ["a"]}]}}
    policies = ObjectPolicies(_policies(rule, {}), SETTINGS)
    named = [{**SENT, "metadata": {"name": name}} for name in "ab"]
    assert [len(policies.concerning(one, "train")) for one in named] == [1, 0]


def test_the_members_of_an_object_are_counted_once_for_all_policies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = list[object]()

    def members(one: Json) -> int:
        counted.append(one)
        return 1

    monkeypatch.setattr("gpuplane.admission.object_policies.most_members", members)
    documents = _policies({"validations": [{"expression": "false"}]}, {})
    assert (
        len([*ObjectPolicies([*documents, documents[-1]], SETTINGS).findings(SENT, "train")]) == 2
    )
    assert len(counted) == 1


@pytest.mark.parametrize("junk", [None, [], "text", {"spec": 1}, {"metadata": []}])
def test_no_policy_makes_it_raise(junk: Any) -> None:
    documents = _policies({"validations": junk, "variables": [junk]}, {"matchResources": junk})
    for sent in (SENT, {"metadata": junk}):
        found = ObjectPolicies(documents, SETTINGS).findings(sent, "train")
        assert {each.effect for each in found} <= {"audited"}
