"""When rules refuse again what exceptions from them let pass: sooner than before, or later."""

import datetime as dt
from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath
from gpuplane.plan.rule_answers import refuses
from gpuplane.plan.rule_clause import RuleClause, named
from policies.document import few
from policies.settings import RuleException, Settings

_FIELD = ("policies", "exceptions")


def ended_exceptions(
    before: Settings, after: Settings, cluster: str, today: dt.date
) -> Iterator[RuleClause]:
    """Yield a clause for each rule and day, about the namespaces where it refuses sooner."""
    subject = f"{cluster} refuses pods" if cluster else "pods are refused"
    namespaces: dict[tuple[str, str], list[str]] = {}
    fields: dict[tuple[str, str], FieldPath] = {}
    for each in before.exceptions:
        if each.expires >= today and _would_refuse(each, before, after):
            until, field = _end(each, after)
            if until < each.expires:
                key = each.rule, "from now on" if until < today else f"after {until}"
                namespaces.setdefault(key, []).append(each.namespace)
                fields.setdefault(key, field)
    for (rule, when), names in namespaces.items():
        text = f"{subject} by the {named((rule,))} in {few(names)} {when}"
        yield RuleClause(text, fields[rule, when])


def extended_exceptions(
    before: Settings, after: Settings, cluster: str, today: dt.date
) -> Iterator[RuleClause]:
    """Yield a clause for each exception that ends later, and has not ended yet."""
    for each in before.exceptions:
        until, field = _end(each, after)
        is_last = each.expires == _end(each, before)[0]
        if today <= each.expires < until and is_last and _would_refuse(each, before, after):
            when = f"only after {until} in place of {each.expires}"
            text = f"{cluster} refuses pods by the {named((each.rule,))} in {each.namespace} {when}"
            yield RuleClause(text, field)


def _would_refuse(exception: RuleException, before: Settings, after: Settings) -> bool:
    """Say whether the exception alone lets pods pass, in a namespace that stays."""
    rule, name = exception.rule, exception.namespace
    is_gone = name in before.namespaces and name not in after.namespaces
    return not is_gone and all(refuses(rule, side, name) for side in (before, after))


def _end(exception: RuleException, settings: Settings) -> tuple[dt.date, FieldPath]:
    """Return the last day of the same exception, and its field; long ago where there is none."""
    found = [
        (each.expires, (*_FIELD, index))
        for index, each in enumerate(settings.exceptions)
        if (each.rule, each.namespace) == (exception.rule, exception.namespace)
    ]
    return max(found, default=(dt.date.min, _FIELD))
