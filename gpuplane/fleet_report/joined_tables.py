"""Tables of commands, each of one cluster, as one table of the page."""

from collections.abc import Mapping

from gpuplane.fleet_report.report_table import Named, ReportTable, cells, linked_rows
from gpuplane.tables import Table


def whole_table(name: str, caption: str, table: Table, *, folded: bool = False) -> ReportTable:
    """Return a table that is of all clusters already, its rows named by their first cell."""
    rows = (Named(row[:1], _clusters_in(row[0]), cells(*row)) for row in table.rows)
    return ReportTable(name, caption, table.headers, linked_rows(name, rows), table.words, folded)


def joined_tables(
    name: str,
    caption: str,
    tables: Mapping[str, Table],
    *,
    first_header: str,
    keys: int = 1,
    folded: bool = False,
) -> ReportTable:
    """Return the tables of clusters as one, with a column for the cluster.

    Clusters whose tables are equal share its rows. The first `keys` cells identify a row.
    """
    groups: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for cluster, table in tables.items():
        groups.setdefault(table.rows, []).append(cluster)
    rows = (
        Named(("+".join(clusters), *row[:keys]), tuple(clusters), cells(", ".join(clusters), *row))
        for shared, clusters in groups.items()
        for row in shared
    )
    first = next(iter(tables.values()), Table((first_header,), (), 1))
    headers = ("Cluster", first_header, *first.headers[1:])
    return ReportTable(name, caption, headers, linked_rows(name, rows), first.words + 1, folded)


def _clusters_in(place: str) -> tuple[str, ...]:
    """Return the cluster that the first cell of a row names, as `training/h100` does."""
    cluster, slash, _ = place.partition("/")
    return (cluster,) if slash else ()
