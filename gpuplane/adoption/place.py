"""Where a cluster runs, as its objects show."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from charts_py.providers.onprem.definition import ONPREM
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.adoption_error import AdoptionError
from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.found_node import FoundNode
from gpuplane.adoption.found_object import Inventory, listed
from gpuplane.adoption.node_names import REGION
from gpus.provider import Provider


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cluster runs."""

    provider: Provider
    region: Commented
    kubernetes: Commented


def place_of(inventory: Inventory, nodes: tuple[FoundNode, ...]) -> Place:
    """Return where a cluster runs; raise AdoptionError where its objects show two providers."""
    provider = _provider(inventory, nodes)
    return Place(provider, _region(nodes), _kubernetes(nodes))


def _provider(inventory: Inventory, nodes: Iterable[FoundNode]) -> Provider:
    by_node = {node.provider: str(node) for node in nodes if node.provider is not None}
    by_kind = {
        provider: str(found)
        for provider, facts in PROVIDERS.items()
        if facts.node_kind is not None
        for found in inventory.of(facts.node_kind)
    }
    found = {**by_kind, **by_node}
    if len(found) > 1:
        shown = listed(f"{provider.value} ({who})" for provider, who in found.items())
        what = f"{inventory.source}: objects of two providers, {shown}"
        raise AdoptionError(f"{what}; read one cluster at a time")
    return next(iter(found), ONPREM.name)


def _region(nodes: Iterable[FoundNode]) -> Commented:
    regions = Counter(node.labels[REGION] for node in nodes if REGION in node.labels)
    if len(regions) == 1:
        return Commented(next(iter(regions)), f"label {REGION}")
    said = f"nodes are in {listed(regions)}" if regions else f"no node has the label {REGION}"
    return note(f"region: {said}; set it")


def _kubernetes(nodes: Iterable[FoundNode]) -> Commented:
    versions = {node.kubernetes: node for node in nodes if node.kubernetes}
    if not versions:
        return note("kubernetes: no node names a version; set that of the API server")
    newest = max(versions, key=lambda version: [int(part) for part in re.split(r"\.", version)])
    what = f"kubelets are {listed(versions)}; the API server is as new as the newest, or newer"
    return Commented(newest, str(versions[newest]), (what,) if len(versions) > 1 else ())
