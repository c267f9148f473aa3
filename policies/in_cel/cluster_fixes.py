"""What the rules fix on one cluster, in CEL, in stages: a later one sees what earlier ones fixed.

Each stage is a mutation of its own, for which the API server writes and reads the whole pod anew,
so there are no more of them than depend on each other.
"""

from collections.abc import Iterable, Iterator, Sequence

from gpus.platform_names import FIXED
from policies.cel.patch import CONTAINERS_WITH_PLACES, put_in_cel
from policies.cel.pod import ANNOTATIONS, IS_CREATED, OF_EPHEMERAL, OF_POD
from policies.cel.text import quote, texts
from policies.cel.variables import Variables, of_old_object
from policies.finding import Severity
from policies.fix import MAX_ANNOTATIONS_SIZE, MOST_BYTES
from policies.in_cel.action import ALWAYS, NEVER, Action, is_taken
from policies.in_cel.cluster_rules import cluster_variables
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.rules import RULES
from policies.settings import Settings

_STATED = f"{ANNOTATIONS}[?{quote(FIXED)}].orValue({quote('')})"
_OTHERS = (
    f"([0] + {ANNOTATIONS}.filter(name, name != {quote(FIXED)})"
    f".map(name, size(bytes(name)) + size(bytes({ANNOTATIONS}[name])))).sum()"
)
_LAST_OF_STAGES = (RuleName.GRANTED_POOLS, RuleName.NODE_AFFINITY)
"""Rules whose fixes those after them read; what is not after them is one stage more."""

_BEFORE = of_old_object(_STATED)
_OF_UPDATES = texts(rule.name.value for rule in RULES if rule.in_cel.fixes_updates)
IS_RENAMED = f"{_BEFORE} != {_STATED}"
"""CEL for whether an update changes which rules the annotation says fixed the pod."""
KEEPS_NAMES = (
    f"[{_BEFORE}.split({quote(',')})].all(old, [{_STATED}.split({quote(',')})].all(new,"
    f" old.all(name, name in new || name == {quote('')})"
    f" && new.all(name, name in old || name in {_OF_UPDATES})))"
)
"""CEL for whether it only adds rules that fix what an update changes, as admission does."""


def fix_stages(settings: Settings) -> tuple[str, ...]:
    """Return CEL for the operations of each stage; there is none where nothing is fixed."""
    return tuple(
        f"variables.{_stage(number)}" for number, rules in enumerate(_stages(settings)) if rules
    )


def fix_variables(settings: Settings) -> Variables:
    variables = {
        **cluster_variables(settings),
        "placed": CONTAINERS_WITH_PLACES,
        # What one rule fixes, another may read.
        **{_fixes(rule): "[]" for rule in RULES},
    }
    for number, rules in enumerate(_stages(settings)):
        variables |= _of_stage(_stage(number), rules, settings)
    return variables


def _of_stage(stage: str, rules: Sequence[Rule], settings: Settings) -> Variables:
    """Return what each rule of a stage fixes, the names of those that do, and all operations."""
    fixes = {
        _fixes(rule): _where(_conditions(rule, settings), rule.in_cel.fixes(settings))
        for rule in rules
    }
    names = " + ".join(
        f"(size(variables.{_fixes(rule)}) > 0 ? [{quote(rule.name.value)}] : [])" for rule in rules
    )
    named = named_in_annotation(f"variables.{stage}_names")
    # With ephemeral containers the API server takes nothing else.
    annotated = f"({OF_POD} ? ({named}) : [])"
    operations = " + ".join([*(f"variables.{name}" for name in fixes), annotated])
    return {**fixes, f"{stage}_names": names, stage: operations}


def _stages(settings: Settings) -> Iterator[list[Rule]]:
    """Yield the rules of each stage that fix something somewhere on the cluster."""
    stage: list[Rule] = []
    for rule in filter(lambda rule: rule.applies(settings), RULES):
        if rule.in_cel.fixes(settings) and NEVER not in _conditions(rule, settings):
            stage.append(rule)
        if rule.name in _LAST_OF_STAGES:
            yield stage
            stage = []
    yield stage


def _conditions(rule: Rule, settings: Settings) -> tuple[str, ...]:
    return (
        "size(variables.excess) == 0",
        is_taken(Action.DENY, rule.name, Severity.REFUSE, settings),
        _asked(rule),
        ALWAYS if rule.audience is Audience.ALL_PODS else "variables.asks_for_gpu",
    )


def _asked(rule: Rule) -> str:
    if rule.in_cel.fixes_updates:
        return OF_POD
    return f"({IS_CREATED} || {OF_EPHEMERAL})" if rule.in_cel.fixes_ephemeral else IS_CREATED


def _where(conditions: Iterable[str], operations: str) -> str:
    stated = " && ".join(each for each in conditions if each != ALWAYS)
    return f"{stated} ? ({operations}) : []"


def _stage(number: int) -> str:
    return f"fixes_{number + 1}"


def _fixes(rule: Rule) -> str:
    return f"{rule.prefix}_fixes"


def named_in_annotation(rules: str) -> str:
    """Return CEL for the operations that name the rules, after those that are named already."""
    stated = f'{_STATED} == "" ? [] : {_STATED}.split(",")'
    has_room = f"({len(FIXED)} + size(value)) * {MOST_BYTES} + {_OTHERS} <= {MAX_ANNOTATIONS_SIZE}"
    written = put_in_cel(("metadata", "annotations", FIXED), "value")
    return (
        f"size({rules}) == 0 ? []"
        f' : [(({stated}) + {rules}).distinct().join(",")]'
        f".filter(value, {has_room}).map(value, {written})"
    )
