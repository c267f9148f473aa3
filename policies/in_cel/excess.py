"""What is too much of a pod for rules to read it: `policies.excess` in CEL."""

from collections.abc import Iterator

from gpus.platform_names import LABEL_PREFIX
from policies.cel.pod import EXPRESSIONS, containers_in, index_where, is_in, node_terms
from policies.cel.text import quote
from policies.excess import CONTAINERS, NODE_TERMS
from policies.finding import Severity
from policies.in_cel.action import ALWAYS, NEVER, Action, action_of
from policies.limits import (
    CONTAINER_LISTS,
    MAX_ADDED_EXPRESSIONS,
    MAX_CONTAINERS,
    MAX_EXPRESSIONS,
    MAX_NODE_SELECTOR_TERMS,
)
from policies.rule import Audience
from policies.rule_name import Mode, RuleName
from policies.rules import RULES
from policies.settings import Settings

_CONTAINERS = f"({' + '.join(f'size({containers_in(each)})' for each in CONTAINER_LISTS)})"
_TERMS = "variables.stated_terms"
_OURS = f"{EXPRESSIONS}.filter(one, one.key.startsWith({quote(f'{LABEL_PREFIX}/')}))"
_STATED = f"(size({EXPRESSIONS}) - [{MAX_ADDED_EXPRESSIONS}, size({_OURS})].min())"
_IS_LONG = f"(size({EXPRESSIONS}) > {MAX_EXPRESSIONS} && {_STATED} > {MAX_EXPRESSIONS})"
_FOR_GPUS, _FOR_OTHERS = (
    quote(f"{each.value}: ") for each in (RuleName.GRANTED_POOLS, RuleName.GPU_NODE_INTRUSION)
)
_BY_RULE = f"(variables.asks_for_gpu ? {_FOR_GPUS} : {_FOR_OTHERS})"
_FIRST_LONG = f"{_TERMS}.filter(term, {_IS_LONG})[0]"
_INDEX = index_where(_TERMS, "term", _IS_LONG)

_TOO_MANY = NODE_TERMS.in_cel(
    excess=f'string(size({_TERMS})) + " terms; allowed: {MAX_NODE_SELECTOR_TERMS}"'
)
_TOO_LONG = NODE_TERMS.in_cel(
    excess=f'string([{_FIRST_LONG}].map(term, {_STATED})[0]) + " expressions in term "'
    f' + {_INDEX} + "; allowed: {MAX_EXPRESSIONS}"'
)
EXCESS = (
    f"{_CONTAINERS} > {MAX_CONTAINERS}"
    f" ? [{_FOR_GPUS} + {CONTAINERS.in_cel(excess=f'string({_CONTAINERS})')}]"
    f" : size({_TERMS}) > {MAX_NODE_SELECTOR_TERMS} ? [{_BY_RULE} + {_TOO_MANY}]"
    f" : {_TERMS}.exists(term, {_IS_LONG}) ? [{_BY_RULE} + {_TOO_LONG}] : []"
)
"""CEL for why rules do not read a pod, a whole message; an empty list where they do."""

_SAME_CONTAINERS = " && ".join(
    f"{containers_in(each)} == {containers_in(each, 'oldObject')}" for each in CONTAINER_LISTS
)
_OLD_TERMS = node_terms("oldObject")


def _has_terms_in_excess(terms: str) -> str:
    return f"(size({terms}) > {MAX_NODE_SELECTOR_TERMS} || {terms}.exists(term, {_IS_LONG}))"


HAD_EXCESS = (
    f'request.operation == "UPDATE" && ({_CONTAINERS} <= {MAX_CONTAINERS} || ({_SAME_CONTAINERS}))'
    f" && ({_has_terms_in_excess(_OLD_TERMS)} || !{_has_terms_in_excess(_TERMS)})"
)
"""CEL for whether what is too much of a pod was so before an update, so that rules read it."""


def is_denied(action: Action, settings: Settings) -> str:
    """Return CEL for whether the action is taken on a pod that is too much, in a namespace.

    It is that of the rule that is enforced most there: what rules do not read, they do not refuse.
    """
    general = _action("", settings)
    other = [name for name in settings.namespaces if _action(name, settings) is not general]
    taken = [name for name in other if _action(name, settings) is action]
    if general is not action:
        return f"({is_in(taken)})" if taken else NEVER
    return f"!({is_in(other)})" if other else ALWAYS


def _action(namespace: str, settings: Settings) -> Action | None:
    """Return what is done in a namespace, which the settings need not name."""
    modes = set(_modes(namespace, settings))
    for mode in (Mode.ENFORCE, Mode.WARN, Mode.AUDIT):
        if mode in modes:
            return action_of(mode, Severity.REFUSE)
    return None


def _modes(namespace: str, settings: Settings) -> Iterator[Mode]:
    for rule in RULES:
        if rule.audience is Audience.ALL_PODS:
            yield settings.stated_mode_of(rule.name, namespace)
