"""What admission does, and for whom it makes an exception."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence

from charts_py.cluster_file.fault import counted
from charts_py.platform.policy_settings import policy_settings
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    ReportTable,
    Tone,
    cells,
    report_section,
    report_table,
)
from policies.rule_name import Mode, RuleName
from policies.rules import RULES
from policies.settings import RuleException, Settings

_OWN = "Own rule; its message"
NEAR = 30
"""Days before its end from which an exception is shown to be near it."""

_TONES = {
    Mode.ENFORCE: Tone.PLAIN,
    Mode.WARN: Tone.WARNING,
    Mode.AUDIT: Tone.WARNING,
    Mode.OFF: Tone.BAD,
}


def policies_section(fleet: Fleet) -> ReportSection:
    settings = [policy_settings(platform) for platform in fleet.platforms]
    exceptions = sorted(_exceptions(settings, fleet.as_of), key=lambda row: row.cells[0].text)
    caption = f"Exceptions as of {fleet.as_of}, the first to end first"
    headers = ("Ends", "State", "Cluster", "Namespace", "Rule", "Reason", "Owner")
    return report_section(
        "policies",
        report_table("exceptions", caption, headers, exceptions),
        _mode_table(settings),
        first=_urgent(settings, fleet.as_of),
    )


def _exceptions(settings: Iterable[Settings], as_of: dt.date) -> Iterator[Named]:
    for each in settings:
        for exception in each.exceptions:
            keys = (each.cluster, exception.namespace, exception.rule)
            state = _state(exception, as_of)
            shown = cells(*keys, exception.reason, exception.owner)
            yield Named(keys, (each.cluster,), (Cell(str(exception.expires)), state, *shown))


def _state(exception: RuleException, as_of: dt.date) -> Cell:
    left = (exception.expires - as_of).days
    if left < 0:
        return Cell("expired, the rule applies again", Tone.BAD)
    return Cell(f"{counted(left, 'day')} left", Tone.WARNING if left <= NEAR else Tone.PLAIN)


def _urgent(settings: Iterable[Settings], as_of: dt.date) -> Iterator[str]:
    left = [(e.expires - as_of).days for each in settings for e in each.exceptions]
    over, near = sum(days < 0 for days in left), sum(0 <= days <= NEAR for days in left)
    if over:
        yield f"Expired exceptions, whose rules apply again: {over}."
    if near:
        yield f"Exceptions that end within {NEAR} days: {near}."


def _mode_table(settings: Sequence[Settings]) -> ReportTable:
    own = {rule.name: rule for each in settings for rule in each.own}
    told = (
        *((rule.name, rule.severity.value, rule.summary) for rule in RULES),
        # They have no summary.
        *(
            (name, rule.severity.value, f"{_OWN}: {rule.message or rule.message_expression}")
            for name, rule in own.items()
        ),
    )
    rows = (
        Named(rule[:1], (), (*cells(*rule), *(_mode(rule[0], each) for each in settings)))
        for rule in told
    )
    headers = ("Rule", "Kind", "True of a pod that passes", *(each.cluster for each in settings))
    caption = "Rules and their modes, in the order in which they run"
    return report_table("rules", caption, headers, rows)


def _mode(rule: str, settings: Settings) -> Cell:
    if rule not in {*RuleName, *(own.name for own in settings.own)}:
        return Cell("")
    mode = settings.modes.get(rule, settings.mode)
    others = {name: settings.stated_mode_of(rule, name) for name in settings.namespaces}
    differing = [f"{name}: {other.value}" for name, other in others.items() if other is not mode]
    return Cell("; ".join((mode.value, *differing)), _TONES[mode])
