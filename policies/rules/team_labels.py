"""GPU pods carry the labels of their team, by which costs are allocated."""

from collections.abc import Iterable, Iterator, Mapping

from policies.cel.patch import add, token
from policies.cel.pod import IS_CREATED, LABELS
from policies.cel.text import lines, quote, shown_in_cel, texts_in_order
from policies.cel.variables import Variables
from policies.document import pointer, shown
from policies.finding import Finding, Severity
from policies.fix import put_all
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName
from policies.settings import Settings

_LACKING = Message("The pod lacks the labels {keys} of its team.", "Add them to metadata.labels.")
_DIFFERENT = Message(
    "The pod is labelled {key} {found}, but its namespace belongs to {expected}.",
    "Set the label to {expected}, or leave it out.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Add the namespace's labels; refuse other values, which would bill somebody else.

    Another value is not replaced: a controller whose selector names it would create pods forever.
    """
    namespace = context.namespace
    if namespace is None or namespace.labels.items() <= pod.labels.items():
        return ()
    return _mismatches(pod, namespace.labels)


def _mismatches(pod: Pod, expected: Mapping[str, str]) -> Iterator[Finding]:
    labels, missing = pod.labels, {}
    for key, value in expected.items():
        found = labels.get(key)
        if found is None:
            missing[key] = value
        elif found != value:
            path, values = f"/metadata/labels{pointer(key)}", {"found": shown(found)}
            yield RULE.finding(_DIFFERENT, path=path, key=key, expected=value, values=values)
    if missing and (fix := put_all(pod.document, "", ("metadata", "labels"), missing)):
        yield RULE.finding(_LACKING, path="/metadata/labels", keys=", ".join(missing), fix=fix)


_KEYS = "variables.team_labels_keys"
_EXPECTED = "variables.team_labels_values[key][request.namespace]"
_MISSING = f"{_KEYS}.filter(key, !(key in {LABELS}))"


def _variables(settings: Settings) -> Variables:
    """Return the variables: one for each label has its values by namespace.

    All of them in one would soon be longer than CEL reads.
    """
    names = {key: f"team_labels_{number}" for number, key in enumerate(_keys(settings), start=1)}
    values = ", ".join(f"{quote(key)}: variables.{name}" for key, name in names.items())
    return {
        **{name: _values(key, settings) for key, name in names.items()},
        "team_labels_values": f"{{{values}}}",
        "team_labels_keys": f"{texts_in_order(names)}"
        ".filter(key, request.namespace in variables.team_labels_values[key])",
    }


def _keys(settings: Settings) -> tuple[str, ...]:
    """Return the labels that any namespace has a value of, in the order of the namespaces'."""
    return tuple(dict.fromkeys(key for each in settings.namespaces.values() for key in each.labels))


def _values(key: str, settings: Settings) -> str:
    namespaces = settings.namespaces.items()
    return lines({name: each.labels[key] for name, each in namespaces if key in each.labels})


_OTHERS = _DIFFERENT.in_cel(key="key", found=shown_in_cel(f"{LABELS}[key]"), expected=_EXPECTED)
_REFUSED = (
    f"{_KEYS}.filter(key, key in {LABELS} && {LABELS}[key] != {_EXPECTED}).map(key, {_OTHERS})"
    f" + (!{IS_CREATED} || size({_MISSING}) == 0 ? []"
    f""" : [{_LACKING.in_cel(keys=f'{_MISSING}.join(", ")')}])"""
)
_PLACE = quote("/metadata/labels")
_ADDED = add(f'{_PLACE} + "/" + {token("key")}', _EXPECTED)
_FIXED = (
    f"(has(object.metadata.labels) || size({_KEYS}) == 0 ? [] : [{add(_PLACE, '{}')}])"
    f" + {_MISSING}.map(key, {_ADDED})"
)

RULE: Rule = Rule(
    RuleName.TEAM_LABELS,
    summary="A GPU pod carries the labels of its team.",
    severity=Severity.FIX,
    evaluate=evaluate,
    refuses_unfixed=True,
    applies=lambda settings: bool(_keys(settings)),
    in_cel=InCel(
        refusals=always(_REFUSED), fixes=always(_FIXED), fixes_updates=True, variables=_variables
    ),
)
