"""The text about a rule."""

from collections.abc import Mapping, Sequence

from msgspec import to_builtins

from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.versions.dist_error import DistError
from gpus.nearest import nearest_hint
from policies.custom_rule import CustomRule
from policies.nearest_rules import nearest_rules
from policies.rule_name import RuleName, rule_page


def rule_text(name: str, own: Sequence[CustomRule], others: Mapping[str, str]) -> str:
    """Return the page of a rule, in Markdown, or all fields of one of the platform team's own.

    `others` has the pages of rules that are not of admission, by name. Raises DistError for a name
    that none has.
    """
    if name in set(RuleName):
        return rule_page(RuleName(name))
    if name in others:
        return others[name]
    for one in own:
        if one.name == name:
            return own_rule_text(one)
    names = [*others, *(one.name for one in own)]
    hint = nearest_hint(nearest_rules(name, names))
    raise DistError(f'unknown rule "{name}"; allowed: {", ".join([*RuleName, *names])}{hint}')


def own_rule_text(own: CustomRule) -> str:
    """Return all fields of a rule of the platform team's own, as YAML."""
    kinds = {"severity": own.severity.value, "audience": own.audience.value}
    return to_yaml({"name": own.name, **kinds, **to_builtins(own)})
