"""What the page leaves out, and does not know."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import counted
from charts_py.warnings import find_warnings
from gpuplane.fleet_report.fleet_facts import Fleet, FleetCluster
from gpuplane.fleet_report.report_page import (
    Cell,
    Cells,
    ReportSection,
    Tone,
    cells,
    report_section,
    report_table,
)

_ALWAYS = (
    ("not measured", "No cluster was asked: what runs, what is used, and whether nodes are ready."),
    ("not measured", "Whether Argo CD has synced what is live, or shows it as healthy."),
    ("not tested", "Whether the network drops what no policy allows: that is its engine's work."),
    ("left out", "Pods without GPUs, and nodes that are in no pool."),
)
_WARNING = "warning"
_EXTENDED = "extensions add or change objects: only tables that are read from dist/ show that."


def limits_section(fleet: Fleet) -> ReportSection:
    found = [(each, what) for each in fleet.clusters for what in _findings(each, fleet)]
    rows: list[Cells] = [cells(kind, "", what) for kind, what in _ALWAYS]
    rows += [(Cell(kind, tone), *cells(each.name, what)) for each, (kind, tone, what) in found]
    warnings = sum(kind == _WARNING for _, (kind, _, _) in found)
    finding = f"what runs and what is used; {counted(warnings, 'warning')} of cluster files"
    headers = ("Kind", "Cluster", "What")
    table = report_table("Not measured, not tested, left out", headers, rows)
    return report_section("unknown", finding, table)


def _findings(cluster: FleetCluster, fleet: Fleet) -> Iterator[tuple[str, Tone, str]]:
    platform = cluster.platform
    if cluster.rendered is None:
        yield "not rendered", Tone.BAD, f"{platform.cluster.version} is not in dist/."
    elif not cluster.is_current:
        what = f"{platform.cluster.version} in dist/ is of an earlier state of its file."
        yield "out of date", Tone.BAD, what
    if platform.is_live and cluster.live is None:
        yield "not rendered", Tone.BAD, f"{platform.live}, which is live, is not in dist/."
    if platform.cluster.extensions != type(platform.cluster.extensions)():
        yield "not read", Tone.WARNING, _EXTENDED
    for warning in find_warnings(platform):
        if warning.holds(fleet.as_of):
            yield _WARNING, Tone.WARNING, fleet.from_root(str(warning.fault))
