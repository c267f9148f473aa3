"""What rules refuse again, since an exception from them is gone or ends sooner."""

import datetime as dt
from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath
from gpuplane.plan.rule_answers import refuses
from gpuplane.plan.rule_clause import RuleClause, named
from policies.document import few
from policies.settings import RuleException, Settings


def ended_exceptions(
    before: Settings, after: Settings, cluster: str, today: dt.date
) -> Iterator[RuleClause]:
    """Yield a clause for each rule and day, about the namespaces where it refuses again."""
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
        text = f"{cluster} refuses pods by the {named((rule,))} in {few(names)} {when}"
        yield RuleClause(text, fields[rule, when])


def _would_refuse(exception: RuleException, before: Settings, after: Settings) -> bool:
    """Say whether the exception alone lets pods pass, in a namespace that stays."""
    rule, name = exception.rule, exception.namespace
    is_gone = name in before.namespaces and name not in after.namespaces
    return not is_gone and all(refuses(rule, side, name) for side in (before, after))


def _end(exception: RuleException, settings: Settings) -> tuple[dt.date, FieldPath]:
    """Return the last day of the same exception, and its field; long ago where there is none."""
    field = ("policies", "exceptions")
    found = [
        (each.expires, (*field, index))
        for index, each in enumerate(settings.exceptions)
        if (each.rule, each.namespace) == (exception.rule, exception.namespace)
    ]
    return max(found, default=(dt.date.min, field))
