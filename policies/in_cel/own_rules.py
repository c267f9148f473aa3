"""Rules of a platform team's own, as the API server evaluates them.

Their CEL is that of the settings, word for word, in parentheses.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.in_cel.rule_in_cel import RuleInCel, nothing
from policies.own.own_rules import MAX_MESSAGE, audience_of, severity_of
from policies.own_name import OwnName
from policies.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from policies.rule import Audience
    from policies.settings import Settings
    from policies.settings_own_rule import OwnRule

_OPERATION = '[dyn(each.op), dyn(each.path), "value" in each ? dyn(each.value) : dyn(null)]'
_AUDIENCES: Mapping[str, Audience] = {rule.name: rule.audience for rule in RULES}


def own_rules_in_cel(settings: Settings) -> tuple[RuleInCel, ...]:
    """Return the rules, in their order."""
    return tuple(_in_cel(own) for own in settings.own)


def audiences(settings: Settings) -> Mapping[str, Audience]:
    """Return which pods each rule looks at, by its name."""
    return {**_AUDIENCES, **{own.name: audience_of(own) for own in settings.own}}


def _in_cel(own: OwnRule) -> RuleInCel:
    passes = _embedded(own.expression)
    found = f"{passes} ? [] : {_messages(own)}"
    is_refused = severity_of(own) is Severity.REFUSE
    fixes = f"{passes} ? [] : {_embedded(own.apply)}.map(each, {_OPERATION})"
    return RuleInCel(
        OwnName(own.name),
        refusals=_always(found) if is_refused else nothing,
        warnings=nothing if is_refused else _always(found),
        fixes=_always(fixes) if own.apply else nothing,
    )


def _messages(own: OwnRule) -> str:
    if not own.message_expression:
        # Escapes for what is not ASCII are other ones in CEL than in JSON.
        return f"[{json.dumps(own.message, ensure_ascii=False)}]"
    kept = MAX_MESSAGE - 3
    return (
        f"[{_embedded(own.message_expression)}].map(said, size(said) <= {MAX_MESSAGE}"
        f' ? said : said.substring(0, {kept}) + "...")'
    )


def _embedded(expression: str) -> str:
    """Return an expression that stands beside others; a comment ends with its line."""
    end = "\n" if "//" in expression else ""
    return f"({expression.strip()}{end})"


def _always(expression: str) -> Callable[[Settings], str]:
    return lambda _settings: expression
