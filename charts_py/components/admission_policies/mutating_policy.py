"""A MutatingAdmissionPolicy, and what binds it to namespaces.

Since Kubernetes 1.36: https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from charts_py.components.admission_policies.policy import Policy, match_constraints
from charts_py.objects.metadata import ObjectMeta, object_of

if TYPE_CHECKING:
    from charts_py.objects.document import Document

FailurePolicy: TypeAlias = Literal["Ignore", "Fail"]
ReinvocationPolicy: TypeAlias = Literal["Never", "IfNeeded"]


@dataclass(frozen=True, slots=True)
class MutatingPolicy:
    """A policy that changes objects, bound to all that it is about."""

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
        """Return the spec of the MutatingAdmissionPolicy."""
        return {
            "failurePolicy": self.failure_policy,
            "reinvocationPolicy": self.reinvocation_policy,
            "matchConstraints": match_constraints(self.namespaces, self.rule),
            **self.body,
        }

    def binding_spec(self) -> dict[str, Any]:
        """Return the spec of the MutatingAdmissionPolicyBinding."""
        return {
            "policyName": self.name,
            "matchResources": {"namespaceSelector": self.namespaces},
        }


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
