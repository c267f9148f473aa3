"""Checks the names and the CEL that settings state."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gpus.nearest import nearest, nearest_hint
from policies.own.own_faults import Returns, own_faults
from policies.rule_name import RuleName
from policies.settings_error import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.settings import Settings
    from policies.settings_own_rule import OwnRule


def check_rules(settings: Settings) -> None:
    """Raise SettingsError where a name is of no rule or of two, or CEL cannot be evaluated."""
    own = [rule.name for rule in settings.own]
    for index, rule in enumerate(settings.own):
        if rule.name in set(RuleName) or Counter(own)[rule.name] > 1:
            raise SettingsError(f"own[{index}].name", f'"{rule.name}" is the name of two rules')
        _check_expressions(f"own[{index}]", rule)
    known = (*RuleName, *own)
    for path, name in _stated(settings):
        if name not in known:
            hint = nearest_hint(nearest(name, known))
            problem = f'"{name}" is unknown; allowed: {", ".join(known)}{hint}'
            raise SettingsError(path, problem, is_unknown=True)


def _check_expressions(path: str, rule: OwnRule) -> None:
    for field, expression, returns in (
        ("expression", rule.expression, Returns.BOOL),
        ("messageExpression", rule.message_expression, Returns.STRING),
        ("apply", rule.apply, Returns.OPERATIONS),
    ):
        if expression or field == "expression":
            for fault in own_faults(expression, returns):
                raise SettingsError(f"{path}.{field}", fault.what)


def _stated(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield all names of rules, each with its path."""
    for name in settings.modes:
        yield f"modes.{name}", name
    for namespace, each in settings.namespaces.items():
        for name in each.modes:
            yield f"namespaces.{namespace}.modes.{name}", name
    for index, exception in enumerate(settings.exceptions):
        yield f"exceptions[{index}].rule", exception.rule
