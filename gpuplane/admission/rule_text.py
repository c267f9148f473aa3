"""The text about a rule."""

from collections.abc import Mapping, Sequence

from msgspec import to_builtins

from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.versions.tree import DistError
from gpus.nearest import nearest_hint
from policies.custom_rule import CustomRule
from policies.nearest_rules import nearest_rules
from policies.rule_name import RuleName, rule_page


def rule_text(name: str, custom: Sequence[CustomRule], others: Mapping[str, str]) -> str:
    """Return the page of a rule, in Markdown, or all fields of a custom rule.

    `others` has the pages of rules that are not of admission, by name. Raises DistError for a name
    that none has.
    """
    if name in set(RuleName):
        return rule_page(RuleName(name))
    if name in others:
        return others[name]
    for one in custom:
        if one.name == name:
            return custom_rule_text(one)
    names = [*others, *(one.name for one in custom)]
    hint = nearest_hint(nearest_rules(name, names))
    raise DistError(f'unknown rule "{name}"; allowed: {", ".join([*RuleName, *names])}{hint}')


def custom_rule_text(rule: CustomRule) -> str:
    kinds = {"severity": rule.severity.value, "audience": rule.audience.value}
    return to_yaml({"name": rule.name, **kinds, **to_builtins(rule)})
