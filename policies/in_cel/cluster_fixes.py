"""What the rules fix on one cluster, in CEL, in stages: a later one sees what earlier ones fixed.

Each stage is a mutation of its own, for which the API server writes and reads the whole pod anew,
so there are no more of them than depend on each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.in_cel.action import ALWAYS, NEVER, Action, is_taken
from policies.in_cel.cluster_rules import AUDIENCES, cluster_variables
from policies.in_cel.fixed_annotation import named_in_annotation
from policies.in_cel.literal import text
from policies.in_cel.patch import CONTAINERS_WITH_PLACES
from policies.in_cel.requests import IS_CREATED, OF_EPHEMERAL, OF_POD
from policies.in_cel.rule_in_cel import prefix_of
from policies.in_cel.rules import RULES_IN_CEL
from policies.rule import Audience
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from policies.in_cel.rule_in_cel import RuleInCel, Variables
    from policies.settings import Settings

_LAST_OF_STAGES = (RuleName.GRANTED_POOLS, RuleName.NODE_AFFINITY)
"""Rules whose fixes those after them read; what is not after them is one stage more."""


def fix_stages(settings: Settings) -> tuple[str, ...]:
    """Return CEL for the operations of each stage; there is none where nothing is fixed."""
    return tuple(
        f"variables.{_stage(number)}" for number, rules in enumerate(_stages(settings)) if rules
    )


def fix_variables(settings: Settings) -> Variables:
    """Return all variables, each after those that it reads."""
    variables = {
        **cluster_variables(settings),
        "placed": CONTAINERS_WITH_PLACES,
        # What one rule fixes, another may read.
        **{_fixes(rule): "[]" for rule in RULES_IN_CEL},
    }
    for number, rules in enumerate(_stages(settings)):
        variables |= _of_stage(_stage(number), rules, settings)
    return variables


def _of_stage(stage: str, rules: Sequence[RuleInCel], settings: Settings) -> Variables:
    """Return what each rule of a stage fixes, the names of those that do, and all operations."""
    fixes = {
        _fixes(rule): _where(_conditions(rule, settings), rule.fixes(settings)) for rule in rules
    }
    names = " + ".join(
        f"(size(variables.{_fixes(rule)}) > 0 ? [{text(rule.name.value)}] : [])" for rule in rules
    )
    named = named_in_annotation(f"variables.{stage}_names")
    # With ephemeral containers the API server takes nothing else.
    annotated = f"({OF_POD} ? ({named}) : [])"
    operations = " + ".join([*(f"variables.{name}" for name in fixes), annotated])
    return {**fixes, f"{stage}_names": names, stage: operations}


def _stages(settings: Settings) -> Iterator[list[RuleInCel]]:
    """Yield the rules of each stage that fix something somewhere on the cluster."""
    stage: list[RuleInCel] = []
    for rule in RULES_IN_CEL:
        if rule.fixes(settings) and NEVER not in _conditions(rule, settings):
            stage.append(rule)
        if rule.name in _LAST_OF_STAGES:
            yield stage
            stage = []
    yield stage


def _conditions(rule: RuleInCel, settings: Settings) -> tuple[str, ...]:
    return (
        "size(variables.excess) == 0",
        is_taken(Action.DENY, rule.name, Severity.REFUSE, settings),
        _asked(rule),
        ALWAYS if AUDIENCES[rule.name] is Audience.ALL_PODS else "variables.asks_for_gpu",
    )


def _asked(rule: RuleInCel) -> str:
    """Return CEL for whether the rule fixes what is asked for."""
    if rule.fixes_updates:
        return OF_POD
    return f"({IS_CREATED} || {OF_EPHEMERAL})" if rule.fixes_ephemeral else IS_CREATED


def _where(conditions: Iterable[str], operations: str) -> str:
    stated = " && ".join(each for each in conditions if each != ALWAYS)
    return f"{stated} ? ({operations}) : []"


def _stage(number: int) -> str:
    return f"fixes_{number + 1}"


def _fixes(rule: RuleInCel) -> str:
    return f"{prefix_of(rule.name)}_fixes"
