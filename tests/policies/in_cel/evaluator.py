"""Evaluates the rules in CEL as the API server does, with another evaluator of CEL."""

from collections.abc import Mapping, Set
from functools import cache
from itertools import chain
from typing import Any

from policies.admission import NOBODY, User
from policies.cel.variables import names_read, needed
from policies.custom.expressions import Expressions
from policies.document import Document
from policies.in_cel.action import Action
from policies.in_cel.cluster_fixes import fix_stages, fix_variables
from policies.in_cel.cluster_rules import cluster_variables, findings_by
from policies.in_cel.match_conditions import exemptions
from policies.operation import Operation, apply, copied
from policies.settings import Settings
from tests.policies.in_cel.platform_functions import platform_functions


class _Expressions(Expressions):
    """Evaluates expressions with variables that are added one by one."""

    def __init__(self) -> None:
        super().__init__(("object", "oldObject", "request", "variables"), [platform_functions()])
        self._compiled: dict[str, tuple[Any, Set[str]]] = {}

    def compile(self, expression: str) -> Any:
        """Compile it once: clusters that differ in a setting have most expressions in common."""
        if expression not in self._compiled:
            self._compiled[expression] = super().compile(expression), names_read(expression)
        return self._compiled[expression]

    def value(self, expression: Any, data: Mapping[str, Any]) -> Any:
        compiled, names = expression
        # A map is copied as a whole where one of its values is read.
        read = {name: data["variables"][name] for name in names}
        return super().value(compiled, {**data, "variables": read})


@cache
def _expressions() -> _Expressions:
    return _Expressions()


def evaluated(expression: str, data: Mapping[str, Any]) -> Any:
    """Return the value of an expression that may read the variables of `data`."""
    return _expressions().value(_expressions().compile(expression), data)


class Evaluator:
    """The rules in CEL of one cluster, on the creation of pods."""

    def __init__(self, settings: Settings) -> None:
        self._expressions = _expressions()
        compile_ = self._expressions.compile
        # Each alone: in one expression, this evaluator reads no sum of more than 32 terms.
        found = {
            action: [each.expression for each in findings_by(action, settings)] for action in Action
        }
        variables = needed(chain.from_iterable(found.values()), cluster_variables(settings))
        self._exemptions = [compile_(each) for each in exemptions(settings).values()]
        self._variables = {name: compile_(each) for name, each in variables.items()}
        self._found = {action: [compile_(each) for each in of] for action, of in found.items()}

    def findings(
        self,
        pod: Document,
        namespace: str,
        user: User = NOBODY,
        operation: str = "CREATE",
        subresource: str = "",
        old: Document | None = None,
    ) -> Mapping[Action, list[str]]:
        """Return what is found in a pod that somebody asks for, by what is done about it."""
        request = {
            "namespace": namespace,
            "operation": operation,
            "userInfo": {"username": user.name, "groups": list(user.groups)},
            **({"subResource": subresource} if subresource else {}),
        }
        data: dict[str, Any] = {
            "object": pod,
            "oldObject": pod if old is None else old,
            "request": request,
            "variables": {},
        }
        if not all(self._expressions.value(each, data) for each in self._exemptions):
            return {action: [] for action in Action}
        for name, variable in self._variables.items():
            data["variables"][name] = self._expressions.value(variable, data)
        value = self._expressions.value
        return {
            action: [message for each in of for message in value(each, data)]
            for action, of in self._found.items()
        }


class Fixer:
    """What the rules fix in CEL on one cluster."""

    def __init__(self, settings: Settings) -> None:
        self._expressions = _expressions()
        compile_ = self._expressions.compile
        variables = fix_variables(settings)
        self._exemptions = [compile_(each) for each in exemptions(settings).values()]
        self._stages = [
            (
                {name: compile_(each) for name, each in needed([stage], variables).items()},
                compile_(stage),
            )
            for stage in fix_stages(settings)
        ]

    def fix(
        self, pod: Document, namespace: str, operation: str = "CREATE", old: Document | None = None
    ) -> Document:
        """Return the pod as the API server makes it, by one stage after the other.

        Where there is an old one, ephemeral containers are added to that.
        """
        request = {"namespace": namespace, "operation": operation}
        if old is not None:
            request["subResource"] = "ephemeralcontainers"
        made: Document = copied(pod)
        data: dict[str, Any] = {"object": made, "oldObject": old, "request": request}
        if not all(self._expressions.value(each, data) for each in self._exemptions):
            return pod
        data["variables"] = {}
        for variables, stage in self._stages:
            for name, variable in variables.items():
                if name not in data["variables"]:
                    data["variables"][name] = self._expressions.value(variable, data)
            if operations := self._expressions.value(stage, data):
                apply(made, [Operation(*each) for each in operations])
                data["variables"] = {}  # they are of the pod as it was
        return made
