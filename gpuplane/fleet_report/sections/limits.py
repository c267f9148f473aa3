"""What the page leaves out, and does not know."""

from collections.abc import Iterator

from charts_py.warnings import find_warnings
from gpuplane.fleet_report.fleet_facts import Fleet, FleetCluster
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    Tone,
    cells,
    report_section,
    report_table,
)
from gpuplane.reports.cost.cost_statement import CostStatement

_ALWAYS = (
    ("not measured", "No cluster was asked: what runs, what is used, and whether nodes are ready."),
    ("not measured", "Whether Argo CD has synced what is live, or shows it as healthy."),
    ("not tested", "Whether the network drops what no policy allows: that is its engine's work."),
    ("left out", "Pods without GPUs, and nodes that are in no pool."),
)
_NO_ENGINE = (
    "network.policyEngine does not say what enforces NetworkPolicies: without any, the pods of all "
    "teams reach each other."
)
_EXTENDED = "extensions add or change objects: only tables that are read from dist/ show that."


def limits_section(fleet: Fleet, statement: CostStatement) -> ReportSection:
    rows = (
        *(
            Named((kind, str(number)), (), cells(kind, "", what))
            for number, (kind, what) in enumerate(_ALWAYS)
        ),
        *(
            Named((kind, each.name), (each.name,), (Cell(kind, tone), *cells(each.name, what)))
            for each in fleet.clusters
            for kind, tone, what in _findings(each, fleet, statement)
        ),
    )
    caption = "Not measured, not tested, left out"
    headers = ("Kind", "Cluster", "What")
    return report_section("unknown", report_table("limits", caption, headers, rows))


def _findings(
    cluster: FleetCluster, fleet: Fleet, statement: CostStatement
) -> Iterator[tuple[str, Tone, str]]:
    platform = cluster.platform
    if cluster.rendered is None:
        yield "not rendered", Tone.BAD, f"{platform.cluster.version} is not in dist/."
    elif not cluster.is_current:
        what = f"{platform.cluster.version} in dist/ is of an earlier state of its file."
        yield "out of date", Tone.BAD, what
    if platform.is_live and cluster.live is None:
        yield "not rendered", Tone.BAD, f"{platform.live}, which is live, is not in dist/."
    if platform.cluster.network.policy_engine is None:
        yield "not known", Tone.WARNING, _NO_ENGINE
    if platform.cluster.extensions != type(platform.cluster.extensions)():
        yield "not read", Tone.WARNING, _EXTENDED
    unpriced = [gap for gap in statement.unpriced if gap.place.startswith(f"{cluster.name}/")]
    if unpriced:
        places = ", ".join(gap.place.partition("/")[2] for gap in unpriced)
        yield "not known", Tone.WARNING, f"What nodes cost of {places}; sums leave them out."
    for warning in find_warnings(platform):
        if warning.holds(fleet.as_of):
            yield "warning", Tone.WARNING, fleet.from_root(str(warning.fault))
