"""Rules that Prometheus evaluates together."""

from charts_py.platform.prometheus_rules import Alert, RecordingRule, RuleGroup, Severity


def test_a_group_tells_its_alerts_from_what_it_records() -> None:
    alert = Alert(
        name="Down",
        expression="up == 0",
        lasting="5m",
        severity=Severity.WARNING,
        summary="It is down.",
        remedy="Start it.",
        source="It takes a minute to start.",
    )
    recorded = RecordingRule("job:up:sum", "sum by (job) (up)")
    assert RuleGroup("tools", "tools", (recorded, alert)).alerts == (alert,)
