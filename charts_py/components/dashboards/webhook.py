"""The admission webhook: whether it answers, how fast, and what it decides."""

from charts_py.components.dashboards.queries import rate_of
from charts_py.components.webhook.alerts import (
    ERROR_SHARE,
    EXPIRY_SECONDS,
    FEWEST_REPLICAS,
    SLOW_SECONDS,
)
from charts_py.grafana.dashboard import Dashboard, Row
from charts_py.grafana.panel import Kind, Limit, Panel
from charts_py.grafana.query import Query
from charts_py.grafana.unit import Unit
from charts_py.metrics.webhook import (
    CERTIFICATE_EXPIRY,
    DECISIONS,
    FIXES,
    RELOAD_FAILING,
    REQUEST_SECONDS,
    REQUESTS,
    SETTINGS,
    VERDICTS,
)

_RATE = f"rate({REQUESTS.name}%s[$__rate_interval])"
_FAILED = '{code=~"5..|429"}'


def _quantile(quantile: float) -> Query:
    buckets = f"sum by (le) (rate({REQUEST_SECONDS.name}[$__rate_interval]))"
    legend = f"{quantile:.0%} take no more"
    return Query(f"histogram_quantile({quantile}, {buckets})", legend, (REQUEST_SECONDS,))


_ERRORS = Query(
    f"(sum ({_RATE % _FAILED}) or vector(0)) / sum ({_RATE % ''})", "Errors", (REQUESTS,)
)

_NOW = Row(
    "Now",
    (
        Panel(
            title="Replicas that answer",
            kind=Kind.STAT,
            queries=(Query(f"count ({SETTINGS.name} == 1)", "Replicas", (SETTINGS,)),),
            note="Each replica that is scraped says it once.",
            limit=Limit(FEWEST_REPLICAS, is_least=True),
            width=6,
        ),
        Panel(
            title="Errors",
            kind=Kind.STAT,
            queries=(_ERRORS,),
            unit=Unit.RATIO,
            limit=Limit(ERROR_SHARE),
            width=6,
        ),
        Panel(
            title="Slowest 1 %",
            kind=Kind.STAT,
            queries=(_quantile(0.99),),
            unit=Unit.SECONDS,
            limit=Limit(SLOW_SECONDS),
            width=6,
        ),
        Panel(
            title="Certificate expires in",
            kind=Kind.STAT,
            queries=(
                Query(f"min ({CERTIFICATE_EXPIRY.name}) - time()", "Left", (CERTIFICATE_EXPIRY,)),
            ),
            unit=Unit.SECONDS,
            limit=Limit(EXPIRY_SECONDS, is_least=True),
            width=6,
        ),
    ),
)

_REVIEWS = Row(
    "Reviews",
    (
        Panel(
            title="Reviews a second",
            kind=Kind.TIME_SERIES,
            queries=(rate_of(REQUESTS, "{{path}} {{code}}", by="path, code"),),
            unit=Unit.PER_SECOND,
            is_stacked=True,
        ),
        Panel(
            title="Time to the answer",
            kind=Kind.TIME_SERIES,
            queries=tuple(map(_quantile, (0.5, 0.95, 0.99))),
            unit=Unit.SECONDS,
            limit=Limit(SLOW_SECONDS),
        ),
        Panel(
            title="Errors",
            kind=Kind.TIME_SERIES,
            queries=(_ERRORS,),
            unit=Unit.RATIO,
            note="Reviews that end in an error or in overload, of all.",
            limit=Limit(ERROR_SHARE),
        ),
        Panel(
            title="Verdicts",
            kind=Kind.TIME_SERIES,
            queries=(rate_of(VERDICTS, "{{judged_by}}", by="judged_by"),),
            unit=Unit.PER_SECOND,
        ),
    ),
)

_RULES = Row(
    "Rules",
    (
        Panel(
            title="Findings that were not fixed",
            kind=Kind.TIME_SERIES,
            queries=(rate_of(DECISIONS, "{{rule}}: {{decision}}", by="rule, decision"),),
            unit=Unit.PER_SECOND,
        ),
        Panel(
            title="Findings that were fixed",
            kind=Kind.TIME_SERIES,
            queries=(rate_of(FIXES, "{{rule}}", by="rule"),),
            unit=Unit.PER_SECOND,
        ),
        Panel(
            title="Settings in force",
            kind=Kind.TABLE,
            queries=(
                Query(
                    f"count by (cluster, digest) ({SETTINGS.name} == 1)", "Replicas", (SETTINGS,)
                ),
            ),
            note="More than one line: replicas decide by different settings.",
            width=12,
        ),
        Panel(
            title="Broken files",
            kind=Kind.TIME_SERIES,
            queries=(
                Query(f"max by (what) ({RELOAD_FAILING.name})", "{{what}}", (RELOAD_FAILING,)),
            ),
            limit=Limit(1),
        ),
    ),
)

WEBHOOK = Dashboard(
    name="webhook",
    title="Admission webhook",
    description=__doc__,
    rows=(_NOW, _REVIEWS, _RULES),
)
