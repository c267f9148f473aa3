"""Who can talk to whom, by the network policies as they were rendered."""

from collections.abc import Iterator, Mapping

from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.network_reach import Network, network_of
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

_HEADERS = ("Cluster", "Namespaces", "Direction", "Peer", "Ports", "Pods", "Policy")


def network_section(fleet: Fleet) -> ReportSection:
    networks = {
        each.name: network_of(each.rendered) for each in fleet.clusters if each.rendered is not None
    }
    rules = _rule_rows(networks)
    return report_section(
        "network",
        *(_matrix(cluster, network) for cluster, network in networks.items() if network.teams),
        report_table("openings", "All that policies open", _HEADERS, rules, folded=True),
    )


def _matrix(cluster: str, network: Network) -> ReportTable:
    name = f"reach.{cluster}"
    rows = (
        Named((source,), (cluster,), tuple(_cells(network, source))) for source in network.sources
    )
    headers = (f"In {cluster}, from ↓ to →", *network.teams, "Addresses")
    return report_table(name, f"Reach in {cluster}", headers, rows)


def _cells(network: Network, source: str) -> Iterator[Cell]:
    yield Cell(source)
    for target in network.teams:
        reach = network.reach(source, target)
        is_open = reach == "all" and source != target
        yield Cell(reach or "no", Tone.WARNING if is_open else Tone.PLAIN)
    yield Cell("; ".join(network.addresses(source)) if source in network.teams else "")


def _rule_rows(networks: Mapping[str, Network]) -> Iterator[Named]:
    found: dict[tuple[str, ...], list[str]] = {}
    for cluster, network in networks.items():
        for each in network.openings:
            ports = ", ".join(sorted(each.ports)) or "all"
            key = (cluster, each.direction.word, each.peer_words, ports, each.pods or "all")
            found.setdefault((*key, each.policy), []).append(each.namespace)
    for (cluster, *rest), namespaces in found.items():
        shown = ", ".join(dict.fromkeys(namespaces))
        keys = (cluster, rest[-1], rest[0], shown, rest[1])
        yield Named(keys, (cluster,), cells(cluster, shown, *rest))
