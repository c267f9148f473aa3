"""A ValidatingAdmissionPolicy, and what binds it to namespaces.

https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from policies.in_cel.action import Action


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
        """Return the spec of the ValidatingAdmissionPolicy."""
        return {
            "failurePolicy": "Fail",
            "matchConstraints": match_constraints(self.namespaces, self.rule),
            **self.body,
        }

    def binding_spec(self) -> dict[str, Any]:
        """Return the spec of the ValidatingAdmissionPolicyBinding."""
        return {
            "policyName": self.name,
            "validationActions": [self.action.value],
            "matchResources": {"namespaceSelector": self.namespaces},
        }


def match_constraints(namespaces: Mapping[str, Any], rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a policy of either kind is about: requests in namespaces."""
    return {
        "namespaceSelector": namespaces,
        "resourceRules": [{**rule, "scope": "Namespaced"}],
    }


def named(expressions: Mapping[str, str]) -> list[dict[str, str]]:
    """Return expressions of CEL as a policy lists its variables and conditions."""
    return [{"name": name, "expression": each} for name, each in expressions.items()]
