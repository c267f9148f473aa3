"""Who can talk to whom, by the network policies as they were rendered."""

from collections.abc import Iterator, Mapping

from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.network_reach import Network, network_of
from gpuplane.fleet_report.report_page import (
    Cell,
    Cells,
    ReportSection,
    Tone,
    report_section,
    report_table,
)
from gpus.platform_names import TEAM
from policies.document import few


def network_section(fleet: Fleet) -> ReportSection:
    networks = {
        each.name: network_of(each.rendered) for each in fleet.clusters if each.rendered is not None
    }
    rows = (row for cluster, network in networks.items() for row in _rows(cluster, network))
    headers = ("Cluster", "From", "Reaches", "Addresses")
    table = report_table("Namespaces that reach others", headers, rows)
    return report_section("network", _finding(networks), table)


def _rows(cluster: str, network: Network) -> Iterator[Cells]:
    for source in network.sources:
        reached = {target: network.reach(source, target) for target in network.teams}
        shown = "; ".join(f"{target} ({reach})" for target, reach in reached.items() if reach)
        is_open = any(reach == "all" for target, reach in reached.items() if target != source)
        addresses = "; ".join(network.addresses(source)) if source in network.teams else ""
        tone = Tone.WARNING if is_open else Tone.PLAIN
        yield (Cell(cluster), Cell(source), Cell(shown or "none", tone), Cell(addresses))


def _finding(networks: Mapping[str, Network]) -> str:
    pairs = [pair for each in networks.items() for pair in _across_teams(*each)]
    if not networks:
        return "not known, as nothing is rendered"
    outside = dict.fromkeys(
        source
        for network in networks.values()
        for source in network.sources
        if source not in network.teams
    )
    said = few(pairs) or "no team reaches another"
    return f"{said}; from outside of teams: {', '.join(outside) or 'nobody'}"


def _across_teams(cluster: str, network: Network) -> Iterator[str]:
    for source in network.teams:
        for target in network.teams:
            is_own = network.labels[source][TEAM] == network.labels[target][TEAM]
            if not is_own and network.reach(source, target):
                yield f"{cluster}: {source} reaches {target}"
