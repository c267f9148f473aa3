"""Which rules the linter reports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """Those that are selected, or all, without those that are ignored."""

    selected: frozenset[str] = frozenset()
    """Empty for all."""
    ignored: frozenset[str] = frozenset()

    def has(self, rule: str) -> bool:
        """Whether the linter reports a rule."""
        return rule not in self.ignored and (not self.selected or rule in self.selected)
