"""The page with clusters that are alike told as one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gpuplane.alike_clusters import alike, names_of, same_holds
from gpuplane.fleet_report.report_page import (
    Cells,
    Decision,
    PoolRow,
    ReportPage,
    ReportSection,
    ReportTable,
)

Others = Mapping[str, tuple[str, ...]]
"""By the first of clusters that are alike, the others."""


def told_once(page: ReportPage) -> tuple[ReportPage, Others]:
    """Return the page with the first of clusters that differ by nothing but their names."""
    pools: dict[str, list[PoolRow]] = {row.cluster: [] for row in page.clusters}
    for pool in page.pools:
        pools.setdefault(pool.cluster, []).append(pool)
    told = ((row.cluster, repr((row, pools[row.cluster])), row.cluster) for row in page.clusters)
    others = dict(alike(told))
    names = "|".join(map(re.escape, pools))
    named = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")
    once = replace(
        page,
        clusters=tuple(row for row in page.clusters if row.cluster in others),
        pools=tuple(pool for pool in page.pools if pool.cluster in others),
        decisions=tuple(_decisions(page, named)),
        sections=tuple(_section(each, named) for each in page.sections),
    )
    return once, others


def _decisions(page: ReportPage, clusters: re.Pattern[str]) -> Iterator[Decision]:
    told = ((_cluster(each.title, clusters), repr(each), each) for each in page.decisions)
    for first, others in alike(told):
        yield replace(first, text=_with_others(first.text, others))


def _section(section: ReportSection, clusters: re.Pattern[str]) -> ReportSection:
    told = ((_cluster(note, clusters), note, note) for note in section.notes)
    return replace(
        section,
        tables=tuple(_table(each, clusters) for each in section.tables),
        notes=tuple(_with_others(note, others) for note, others in alike(told)),
    )


def _table(table: ReportTable, clusters: re.Pattern[str]) -> ReportTable:
    """Return a table that has the rows of clusters that are alike once."""
    column = table.headers.index("Cluster") if "Cluster" in table.headers else 0
    by_cluster: dict[str, list[Cells]] = {}
    for number, row in enumerate(table.rows):
        begins = clusters.match(row[column].text)
        by_cluster.setdefault(begins[0] if begins else f"{number}", []).append(row)
    told = [*alike((name, repr(rows), name) for name, rows in by_cluster.items())]
    if not any(others for _, others in told):
        return table
    rows = (
        _with_places(row, column, first, others)
        for first, others in told
        for row in by_cluster[first]
    )
    return replace(table, rows=tuple(rows))


def _with_places(row: Cells, column: int, first: str, others: Iterable[str]) -> Cells:
    place = row[column].text
    places = [place, *(f"{other}{place.removeprefix(first)}" for other in others)]
    return (*row[:column], replace(row[column], text=names_of(places)), *row[column + 1 :])


def _with_others(text: str, others: Sequence[str]) -> str:
    return f"{text.rstrip('.')}. {same_holds(others)}" if others else text


def _cluster(text: str, clusters: re.Pattern[str]) -> str:
    found = clusters.search(text)
    return found[0] if found else ""
