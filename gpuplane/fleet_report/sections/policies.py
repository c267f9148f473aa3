"""What admission does, and for whom it makes an exception."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence

from charts_py.cluster_file.fault import counted
from charts_py.platform.policy_settings import policy_settings
from gpuplane.alike_clusters import names_of
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import (
    Cell,
    Cells,
    ReportSection,
    Tone,
    cells,
    report_section,
    report_table,
)
from gpuplane.fleet_report.standing_decisions import NEAR
from policies.rule_name import Mode
from policies.rules import RULES
from policies.settings import RuleException, Settings

_TONES = {
    Mode.ENFORCE: Tone.PLAIN,
    Mode.WARN: Tone.WARNING,
    Mode.AUDIT: Tone.WARNING,
    Mode.OFF: Tone.BAD,
}


def policies_section(fleet: Fleet) -> ReportSection:
    settings = [policy_settings(platform) for platform in fleet.platforms]
    exceptions = sorted(_exceptions(settings, fleet.as_of), key=lambda row: row[0].text)
    headers = ("Ends", "State", "Cluster", "Namespace", "Rule", "Reason", "Owner")
    differing = tuple(_differing(settings))
    return report_section(
        "policies",
        _finding(settings, differing, len(exceptions)),
        report_table("Rules that do not enforce", ("Rule", "Mode", "Where"), differing),
        report_table(
            f"Exceptions as of {fleet.as_of}, the first to end first", headers, exceptions
        ),
    )


def _finding(settings: Sequence[Settings], differing: Sequence[Cells], exceptions: int) -> str:
    own = {rule.name for each in settings for rule in each.own}
    rules = dict.fromkeys(row[0].text for row in differing)
    but = f" but {', '.join(rules)}" if rules else ""
    return (
        f"{len(RULES) + len(own)} rules, enforced everywhere{but}; "
        f"{counted(exceptions, 'exception')}"
    )


def _exceptions(settings: Iterable[Settings], as_of: dt.date) -> Iterator[Cells]:
    for each in settings:
        for exception in each.exceptions:
            first = (Cell(str(exception.expires)), _state(exception, as_of))
            place = (each.cluster, exception.namespace, exception.rule)
            yield (*first, *cells(*place, exception.reason, exception.owner))


def _state(exception: RuleException, as_of: dt.date) -> Cell:
    left = (exception.expires - as_of).days
    if left < 0:
        return Cell("expired, the rule applies again", Tone.BAD)
    return Cell(f"{counted(left, 'day')} left", Tone.WARNING if left <= NEAR else Tone.PLAIN)


def _differing(settings: Iterable[Settings]) -> Iterator[Cells]:
    """Yield where a rule does anything but enforce."""
    found: dict[tuple[str, Mode], list[str]] = {}
    for each in settings:
        for rule in (*(rule.name for rule in RULES), *(rule.name for rule in each.own)):
            for place, mode in _modes(rule, each):
                if mode is not Mode.ENFORCE:
                    found.setdefault((rule, mode), []).append(place)
    for (rule, mode), places in found.items():
        yield (Cell(rule), Cell(mode.value, _TONES[mode]), Cell(names_of(places)))


def _modes(rule: str, settings: Settings) -> Iterator[tuple[str, Mode]]:
    """Yield the mode on the cluster, and in each namespace that has another."""
    mode = settings.modes.get(rule, settings.mode)
    yield settings.cluster, mode
    for name in settings.namespaces:
        own = settings.stated_mode_of(rule, name)
        if own is not mode:
            yield f"{settings.cluster}/{name}", own
