"""Which rules the linter tells of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from charts_py.lint.reading_rule import ReadingRule
from charts_py.lint.registry import TEMPLATE_RULES
from charts_py.release.dist_error import DistError
from gpus.nearest import nearest_hint
from policies.nearest_rules import nearest_rules
from policies.rule_name import RuleName


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """Those that are selected, or all, without those that are ignored."""

    selected: frozenset[str] = frozenset()
    """Empty for all."""
    ignored: frozenset[str] = frozenset()

    def has(self, rule: str) -> bool:
        """Whether the linter tells of a rule."""
        return rule not in self.ignored and (not self.selected or rule in self.selected)


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
