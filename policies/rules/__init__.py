"""The rules on GPU pods: for each name a module, which states it as `RULE`."""

from importlib import import_module

from policies.cel.variables import prefix_of
from policies.rule import Rule
from policies.rule_name import RuleName

RULES: tuple[Rule, ...] = tuple(
    import_module(f"policies.rules.{prefix_of(name)}").RULE for name in RuleName
)
