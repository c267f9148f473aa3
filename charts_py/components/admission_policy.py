"""ValidatingAdmissionPolicies and MutatingAdmissionPolicies, each with its binding.

https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform_namespaces import TEAM_NAMESPACES
from policies.in_cel.action import Action
from policies.rule_name import Mode, RuleName
from policies.settings import JobKind, Settings
from policies.workloads.job_priority import known

FailurePolicy: TypeAlias = Literal["Ignore", "Fail"]
ReinvocationPolicy: TypeAlias = Literal["Never", "IfNeeded"]
# What has finalizers is updated while it is deleted.
UNCHANGED = "oldObject != null && object.spec == oldObject.spec"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bound:
    """A policy, bound to all that it is about."""

    kind: ClassVar[str]

    name: str
    rule: Mapping[str, Any]
    """The requests that it is about."""
    namespaces: Mapping[str, Any] = field(default_factory=lambda: TEAM_NAMESPACES)
    """The selector of the namespaces that it is about: by default all of teams."""
    conditions: Sequence[Mapping[str, str]] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    """Annotations of both the policy and its binding."""

    def _matched(self) -> dict[str, Any]:
        rule = {**self.rule, "scope": "Namespaced"}
        stated = {"matchConditions": list(self.conditions), "variables": named(self.variables)}
        return {
            "matchConstraints": {"namespaceSelector": self.namespaces, "resourceRules": [rule]},
            **{key: each for key, each in stated.items() if each},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MutatingPolicy(_Bound):
    """A policy that changes objects.

    Since Kubernetes 1.36:
    https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
    """

    kind: ClassVar[str] = "MutatingAdmissionPolicy"

    mutations: Sequence[Mapping[str, Any]]
    failure_policy: FailurePolicy = "Ignore"
    """Whether an object that it fails on is left as it is, or refused."""
    reinvocation_policy: ReinvocationPolicy = "IfNeeded"
    """Whether it is evaluated again once something else has changed the object, which may then need
    a change of its own."""

    def spec(self) -> dict[str, Any]:
        return {
            "failurePolicy": self.failure_policy,
            "reinvocationPolicy": self.reinvocation_policy,
            **self._matched(),
            "mutations": list(self.mutations),
        }

    def binding_spec(self) -> dict[str, Any]:
        return {"policyName": self.name, "matchResources": {"namespaceSelector": self.namespaces}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(_Bound):
    """A policy that judges objects."""

    kind: ClassVar[str] = "ValidatingAdmissionPolicy"

    validations: Sequence[Mapping[str, str]]
    action: Action = Action.DENY
    """What is done with a request that it does not hold for."""

    def spec(self) -> dict[str, Any]:
        return {"failurePolicy": "Fail", **self._matched(), "validations": list(self.validations)}

    def binding_spec(self) -> dict[str, Any]:
        return {
            "policyName": self.name,
            "validationActions": [self.action.value],
            "matchResources": {"namespaceSelector": self.namespaces},
        }


def requests(
    group: str,
    *resources: str,
    version: str = "v1",
    operations: Iterable[str] = ("CREATE", "UPDATE"),
) -> dict[str, Any]:
    """Return the requests for resources of one API group; the core group is empty."""
    return {
        "apiGroups": [group],
        "apiVersions": [version],
        "operations": list(operations),
        "resources": list(resources),
    }


def validation(expression: str, message: str = "", *, computed: str = "") -> dict[str, str]:
    """Return what has to hold, and what is said where it does not.

    `computed` is the message in CEL; where that cannot be computed, `message` stands for it.
    """
    told = {"messageExpression": computed, "message": message}
    said = {key: text for key, text in told.items() if text}
    return {"expression": expression, **said, "reason": "Forbidden"}


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


def writes_of(
    kinds: Iterable[JobKind], operations: Iterable[str] = ("CREATE", "UPDATE")
) -> dict[str, Any]:
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
