"""The names of all rules of the linter."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpuplane.lint.reading_rule import ReadingRule
from gpuplane.lint.registry import TEMPLATE_RULES
from policies.nearest_rules import nearest_rules
from policies.rule_name import RuleName

_NEVER_IGNORED = (
    ReadingRule.UNREADABLE_FILE,
    ReadingRule.TEMPLATE,
    ReadingRule.IGNORE_COMMENT,
    ReadingRule.ACKNOWLEDGEMENT,
)
"""Of files in which no comment can be read, and of what leaves findings out."""


@dataclass(frozen=True, slots=True)
class RuleNames:
    """Those of gpuplane, and of the platform teams."""

    own: tuple[str, ...] = ()
    """The names of the platform teams' own rules."""

    @property
    def all(self) -> Sequence[str]:
        """The names of all rules."""
        return [*(rule.value for rule in RuleName), *self._others]

    @property
    def ignorable(self) -> Sequence[str]:
        """The names of those that a comment or an acknowledgement can name."""
        return [name for name in self.all if name not in _NEVER_IGNORED]

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return the names that are nearest to a wrong one."""
        return nearest_rules(name, self._others)

    @property
    def _others(self) -> Sequence[str]:
        templates = (rule.name for rule in TEMPLATE_RULES)
        return [*(rule.value for rule in ReadingRule), *templates, *self.own]


def rule_names(own: Iterable[str]) -> RuleNames:
    """Return the names, with those of the platform teams' own rules, each once."""
    return RuleNames(tuple(sorted({*own})))
