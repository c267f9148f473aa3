"""The page as GitHub-flavoured Markdown."""

from collections.abc import Iterator
from fractions import Fraction

from gpuplane.alike_clusters import names_of
from gpuplane.fleet_report.figure_words import gap_words, gpus_words, known_words
from gpuplane.fleet_report.plan_words import verdict_words
from gpuplane.fleet_report.pool_bar import bar_of
from gpuplane.fleet_report.pool_use import Costs
from gpuplane.fleet_report.report_page import (
    Change,
    ClusterRow,
    PoolRow,
    ReportPage,
    ReportSection,
    TeamRow,
)
from gpuplane.fleet_report.told_once import Others, told_once
from gpuplane.tables import Row, Table, escaped, table_lines

_CLUSTER = ("Cluster", "Version", "Verdict", "Objects", "GPUs in quotas", "Kept", "At most")
_POOL = ("Pool", "One GPU", "Who has its GPUs", "In quotas", "At most")
_TEAM = ("Team", "Pools", "GPUs in quotas", "Reserved", "Budget")


def page_markdown(page: ReportPage) -> str:
    """Return what the page says, in its order; what readers open is folded."""
    once, others = told_once(page)
    clusters = tuple(_cluster(row, others) for row in once.clusters)
    answer = page.answer
    lines = (
        f"# {escaped(answer.sentence)}",
        "",
        escaped(answer.detail),
        "",
        f"{escaped(answer.about)}. As of {page.as_of}, by gpuplane {page.tool_version}.",
        "",
        *_figures(page),
        "",
        "## To decide",
        "",
        *(_decisions(once) or ("Nothing.",)),
        "",
        "## By cluster",
        "",
        *table_lines(Table(_CLUSTER, clusters, words=3)),
        "",
        "## Who has the GPUs",
        "",
        *table_lines(Table(_POOL, tuple(_pool(row, others) for row in once.pools), words=3)),
        "",
        "## Teams",
        "",
        *table_lines(Table(_TEAM, tuple(map(_team, page.teams)), words=2)),
        "",
        *(line for section in once.sections for line in _section(section)),
    )
    return "\n".join(lines).rstrip() + "\n"


def _figures(page: ReportPage) -> Iterator[str]:
    for each in page.answer.gpus:
        of = f" of {gpus_words(each.of.now)}" if each.of else ""
        was = "" if each.gpus.was is None else f"was {gpus_words(each.gpus.was)}"
        notes = "; ".join(filter(None, (was, each.note)))
        more = f" ({notes})" if notes else ""
        yield f"- {escaped(f'{each.name}: {each.words}{of}{more}')}"
    for figure in page.answer.costs:
        unknown = f" ({figure.note})" if figure.costs.was is None else ""
        yield f"- {escaped(f'{figure.name}: {_costs(figure.costs)}{unknown}')}"


def _decisions(page: ReportPage) -> tuple[str, ...]:
    return tuple(
        f"- **{escaped(f'{each.kind}: {each.title}')}.** {escaped(each.text)}"
        + (f" {escaped(each.place)}" if each.place else "")
        + (f" `{each.command}`" if each.command else "")
        for each in page.decisions
    )


def _gpus(change: Change[Fraction]) -> str:
    now = gpus_words(change.now)
    return now if change.was in (None, change.now) else f"{gpus_words(change.was)} → {now}"


def _costs(change: Change[Costs]) -> str:
    now = _cost(change.now)
    if change.was is None or known_words(change.was) == known_words(change.now):
        return now
    return f"{known_words(change.was)} → {now}"


def _cost(costs: Costs) -> str:
    gap = gap_words(costs)
    return f"{known_words(costs)}, {gap}" if gap else known_words(costs)


def _cluster(row: ClusterRow, others: Others) -> Row:
    steps = "; ".join(f"{step.old} → {step.new}, {step.when}" for step in row.steps)
    verdict = "unchanged" if row.verdict is None else verdict_words(row.verdict)
    return (
        f"{names_of((row.cluster, *others.get(row.cluster, ())))} ({row.provider})",
        steps or row.version,
        f"{row.missing}: {row.command}" if row.missing else verdict,
        str(row.objects),
        f"{_gpus(row.gpus_in_quotas)} of {_gpus(row.gpus_at_most)}",
        _costs(row.kept),
        _costs(row.at_most),
    )


def _pool(row: PoolRow, others: Others) -> Row:
    said = (bar_of(row, row.gpus_at_most).words, *row.notes, row.refusal)
    places = [f"{each}/{row.pool}" for each in (row.cluster, *others.get(row.cluster, ()))]
    return (
        f"{names_of(places)} ({row.model}, {row.purchase})",
        row.layout,
        "; ".join(filter(None, said)),
        f"{gpus_words(row.gpus_in_quotas)} of {gpus_words(row.gpus_at_most)}",
        known_words(row.at_most),
    )


def _team(row: TeamRow) -> Row:
    budget = known_words(row.budget) if row.budget.amounts else "none"
    return (row.team, row.places, _gpus(row.gpus_in_quotas), _cost(row.reserved), budget)


def _section(section: ReportSection) -> Iterator[str]:
    title = f"{section.title}: {section.finding}"
    yield from (f"<details><summary>{escaped(title)}</summary>", "", escaped(section.summary), "")
    for table in section.tables:
        yield from (f"### {escaped(table.caption)} ({len(table.rows)})", "")
        rows = tuple(tuple(cell.text for cell in row) for row in table.rows)
        yield from (*table_lines(Table(table.headers, rows, table.words)), "")
    yield from (f"- {escaped(note)}" for note in section.notes)
    if section.notes:
        yield ""
    if section.command is not None:
        yield from (f"On a terminal: `{section.command}`", "")
    yield from ("</details>", "")
