"""The rules that a user names."""

from collections.abc import Iterable, Sequence

from charts_py.lint.reading_rule import ReadingRule
from charts_py.lint.registry import TEMPLATE_RULES
from charts_py.lint.selected_rules import RuleSelection
from charts_py.release.dist_error import DistError
from gpus.nearest import nearest_hint
from policies.nearest_rules import nearest_rules
from policies.rule_name import RuleName


def rule_selection(
    selected: Iterable[str], ignored: Iterable[str], own: Sequence[str]
) -> RuleSelection:
    """Return the selection of rules by their names.

    `own` are the names of the platform teams' own rules. Raises DistError for an unknown one.
    """
    selection = RuleSelection(frozenset(selected), frozenset(ignored))
    others = [*ReadingRule, *(rule.name for rule in TEMPLATE_RULES), *own]
    allowed = [*RuleName, *others]
    for name in sorted(selection.selected | selection.ignored):
        if name not in allowed:
            hint = nearest_hint(nearest_rules(name, others))
            raise DistError(f'unknown rule "{name}"; allowed: {", ".join(allowed)}{hint}')
    return selection
