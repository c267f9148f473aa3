"""ValidatingAdmissionPolicies and MutatingAdmissionPolicies, each with its binding.

https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from charts_py.objects.metadata import ObjectMeta, object_of
from policies.in_cel.action import Action
from policies.job_priority import known
from policies.rule_name import Mode

if TYPE_CHECKING:
    from charts_py.objects.document import Document
    from policies.rule_name import RuleName
    from policies.settings import JobKind, Settings


FailurePolicy: TypeAlias = Literal["Ignore", "Fail"]
ReinvocationPolicy: TypeAlias = Literal["Never", "IfNeeded"]


@dataclass(frozen=True, slots=True)
class MutatingPolicy:
    """A policy that changes objects, bound to all that it is about.

    Since Kubernetes 1.36:
    https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
    """

    kind: ClassVar[str] = "MutatingAdmissionPolicy"

    name: str
    namespaces: Mapping[str, Any]
    """The selector of the namespaces that it is about."""
    rule: Mapping[str, Any]
    """The requests that it is about."""
    body: Mapping[str, Any]
    """The rest of its spec: its variables and mutations."""
    failure_policy: FailurePolicy
    """Whether an object that it fails on is left as it is, or refused."""
    reinvocation_policy: ReinvocationPolicy
    """Whether it is evaluated again once something else has changed the object."""
    annotations: Mapping[str, str] = field(default_factory=dict)
    """Of the policy and its binding."""

    def spec(self) -> dict[str, Any]:
        return {
            "failurePolicy": self.failure_policy,
            "reinvocationPolicy": self.reinvocation_policy,
            "matchConstraints": match_constraints(self.namespaces, self.rule),
            **self.body,
        }

    def binding_spec(self) -> dict[str, Any]:
        return {
            "policyName": self.name,
            "matchResources": {"namespaceSelector": self.namespaces},
        }


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy, bound to all that it is about."""

    kind: ClassVar[str] = "ValidatingAdmissionPolicy"

    name: str
    namespaces: Mapping[str, Any]
    """The selector of the namespaces that it is about."""
    rule: Mapping[str, Any]
    """The requests that it is about."""
    body: Mapping[str, Any]
    """The rest of its spec: its variables and validations."""
    action: Action = Action.DENY
    """What is done with a request that it does not hold for."""
    annotations: Mapping[str, str] = field(default_factory=dict)
    """Of the policy and its binding."""

    def spec(self) -> dict[str, Any]:
        return {
            "failurePolicy": "Fail",
            "matchConstraints": match_constraints(self.namespaces, self.rule),
            **self.body,
        }

    def binding_spec(self) -> dict[str, Any]:
        return {
            "policyName": self.name,
            "validationActions": [self.action.value],
            "matchResources": {"namespaceSelector": self.namespaces},
        }


def match_constraints(namespaces: Mapping[str, Any], rule: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "namespaceSelector": namespaces,
        "resourceRules": [{**rule, "scope": "Namespaced"}],
    }


def named(expressions: Mapping[str, str]) -> list[dict[str, str]]:
    """Return expressions of CEL as a policy lists its variables and conditions."""
    return [{"name": name, "expression": each} for name, each in expressions.items()]


def json_patch(operations: str) -> dict[str, Any]:
    """Return the mutation by operations in CEL, each `[op, path, value]`."""
    expression = f"{operations}.map(each, JSONPatch{{op: each[0], path: each[1], value: each[2]}})"
    return {"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}


def policy_objects(policies: Iterable[Policy | MutatingPolicy]) -> Iterator[Document]:
    """Yield each policy, followed by what binds it to the namespaces that it is about."""
    for policy in policies:
        for kind, spec in (
            (policy.kind, policy.spec()),
            (f"{policy.kind}Binding", policy.binding_spec()),
        ):
            metadata = ObjectMeta(policy.name, annotations=policy.annotations)
            yield object_of("admissionregistration.k8s.io/v1", kind, metadata, {"spec": spec})


def writes_of(kinds: Iterable[JobKind]) -> dict[str, Any]:
    return _requests(kinds, "CREATE", "UPDATE")


def deletions_of(kinds: Iterable[JobKind]) -> dict[str, Any]:
    return _requests(kinds, "DELETE")


def _requests(kinds: Iterable[JobKind], *operations: str) -> dict[str, Any]:
    workloads = [known(each) for each in kinds]
    return {
        "apiGroups": sorted({each.group for each in workloads}),
        "apiVersions": ["*"],
        "operations": list(operations),
        "resources": sorted({each.resource for each in workloads}),
    }


def is_enforced(settings: Settings, rule: RuleName, namespace: str) -> bool:
    """Return whether a rule is enforced in a namespace, without an exception."""
    mode = settings.stated_mode_of(rule, namespace)
    # What has no clock cannot see an exception expire.
    excepted = any((each.rule, each.namespace) == (rule, namespace) for each in settings.exceptions)
    return mode is Mode.ENFORCE and not excepted
