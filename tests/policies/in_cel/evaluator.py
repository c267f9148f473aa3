"""Evaluates the rules in CEL as the API server does, with another evaluator of CEL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from policies.document import Document
from policies.in_cel.action import Action
from policies.in_cel.cluster_rules import cluster_variables, findings_by
from policies.in_cel.exemption import exemptions
from policies.in_cel.variables import needed
from policies.settings import Settings
from tests.policies.in_cel.kubernetes_functions import kubernetes_functions

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")
strings = pytest.importorskip("cel_expr_python.ext.ext_strings")


class Evaluator:
    """The rules in CEL of one cluster, on the creation of pods."""

    def __init__(self, settings: Settings) -> None:
        self._environment = cel.NewEnv(
            variables=dict.fromkeys(("object", "request", "variables"), cel.Type.DYN),
            extensions=[optional.ExtOptional(), strings.ExtStrings(), kubernetes_functions()],
        )
        found = {
            action: " + ".join(each.expression for each in findings_by(action, settings)) or "[]"
            for action in Action
        }
        variables = needed(found.values(), cluster_variables(settings))
        self._exemptions = [self._compile(each) for each in exemptions(settings).values()]
        self._variables = {name: self._compile(each) for name, each in variables.items()}
        self._found = {action: self._compile(each) for action, each in found.items()}

    def findings(self, pod: Document, namespace: str) -> Mapping[Action, list[str]]:
        """Return what is found in a pod that is created, by what is done about it."""
        data: dict[str, Any] = {
            "object": pod,
            "request": {"namespace": namespace, "operation": "CREATE"},
            "variables": {},
        }
        if not all(each.eval(data=data).plain_value() for each in self._exemptions):
            return {action: [] for action in Action}
        for name, variable in self._variables.items():
            data["variables"][name] = self._value(variable, data)
        return {action: self._value(each, data) for action, each in self._found.items()}

    def _compile(self, expression: str) -> Any:
        return self._environment.compile(expression)

    def _value(self, expression: Any, data: Mapping[str, Any]) -> Any:
        value = expression.eval(data=data)
        assert value.type() != cel.Type.ERROR, value.value()
        return value.plain_value()
