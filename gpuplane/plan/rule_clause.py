"""What a plan says of rules, with the field of the cluster file that says so."""

from dataclasses import dataclass

from charts_py.cluster_file.fault import FieldPath
from policies.document import few
from policies.settings import Settings


@dataclass(frozen=True, slots=True)
class RuleClause:
    """What rules, or pools, do from now on."""

    text: str
    field: FieldPath
    """The field of the cluster file that says so."""


def field_of(rule: str, settings: Settings) -> FieldPath:
    """Return the field that states the mode of a rule."""
    if rule in settings.modes:
        return ("policies", "rules", rule)
    for name, namespace in settings.namespaces.items():
        if rule in namespace.modes:
            return ("teams", namespace.team, "namespaces", name, "rules", rule)
    is_own = any(each.name == rule for each in settings.own)
    return ("policies", "own", rule) if is_own else ("policies", "mode")


def named(rules: tuple[str, ...]) -> str:
    return f"{'rule' if len(rules) == 1 else 'rules'} {few(rules)}"
