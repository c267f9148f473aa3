"""No two refusals point at each other: what one allows, no other sends back from.

Every combination of what tables of machines, purchases, networks, drivers, sharing and provisioners
permit is tried, and each allowed value that a refusal names is followed.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.fault import Problem
from charts_py.load import draft_of
from gpus.catalog import load_catalog
from gpus.instance_type import Interconnect
from gpus.provider import Provider
from gpus.purchase import Purchase

_SETTINGS: Mapping[Provider, dict[str, Any]] = {
    Provider.EKS: {"clusterName": "one", "nodeRole": "nodes"},
    Provider.GKE: {"project": "example", "clusterName": "one", "location": "us-central1-a"},
    Provider.AKS: {
        "subscription": "00000000-0000-0000-0000-000000000000",
        "resourceGroup": "one",
        "clusterName": "one",
    },
    Provider.ONPREM: {},
}
_REGIONS = {Provider.EKS: "us-east-1", Provider.GKE: "us-central1", Provider.AKS: "westeurope"}
_PROVISIONERS = {
    Provider.EKS: ("karpenter", "eksctl"),
    Provider.GKE: ("config-connector", "compute-class"),
}
_NEVER = {Provider.AKS: [{"instanceType": "Standard_ND96isr_MI300X_v5"}]}
"""Machines that a table lists for the sake of the reason why they are refused."""
_FIELDS = {
    "purchase": "purchase",
    "nodes.queued": "queued",
    "queued": "queued",
    "gke.provisioner": "provisioner",
    "provisioner": "provisioner",
    "interconnect": "interconnect",
    "driver.owner": "owner",
    "owner": "owner",
    "allocator": "allocator",
    "onDemandFallback": "onDemandFallback",
    "reservation": "reservation",
}
"""The choices, by the names that messages have for them."""
_PURCHASES: dict[str, tuple[Any, ...]] = {"purchase": tuple(Purchase), "queued": (False, True)}
_RESERVATIONS = {Provider.EKS: "cr-0123456789abcdef0"}
_WAYS = {"onDemandFallback": (False, True), "reservation": (None, "mine")}
"""What depends on the purchase."""
_NETWORKS: dict[str, tuple[Any, ...]] = {"interconnect": (None, *Interconnect)}
_SHARING: dict[str, tuple[Any, ...]] = {
    "owner": (None, "managed", "image", "operator"),
    "allocator": ("device-plugin", "dra"),
    "sharing": ({}, {"timeSlicing": 4}, {"mps": 4}, {"mig": {"1g.10gb": 7}}),
}


def _machines(provider: Provider) -> list[dict[str, Any]]:
    """Return a machine for each row that a table tells apart, one that is described included."""
    if provider is Provider.ONPREM:
        size = {"gpus": 8, "cpu": 96, "memory": "1Ti"}
        return [{"gpu": name, **size} for name in ("H100-SXM", "T4", "MI300X", "GB300")]
    alike: dict[object, str] = {}
    for name, row in load_catalog().instance_types[provider].items():
        model = load_catalog().model(row.gpu)
        kind = (row.purchases, row.rdma, model.vendor, model.vgpu, model.mig is None)
        alike.setdefault((*kind, model.host_architecture), name)
    return [{"instanceType": name} for name in (*alike.values(), _DESCRIBED[provider])]


_DESCRIBED = {
    Provider.EKS: "p9.48xlarge",
    Provider.GKE: "a9x-maxgpu-4g",
    Provider.AKS: "Standard_ND96isr_GB300_v9",
}
_ROW = {"gpu": "GB300", "gpus": 4, "cpu": 144, "memory": "960Gi"}


def _content(provider: Provider, machine: dict[str, Any], chosen: dict[str, Any]) -> dict[str, Any]:
    block = dict(_SETTINGS[provider])
    if chosen.get("provisioner"):
        block["provisioner"] = chosen["provisioner"]
    fields = ("purchase", "interconnect", "allocator", "sharing", *_WAYS)
    pool = {key: chosen[key] for key in fields if chosen.get(key)}
    if "reservation" in pool:
        pool["reservation"] = _RESERVATIONS.get(provider, "mine")
    nodes = {"max": 2, "queued": chosen.get("queued", False)}
    described: dict[str, Any] = {}
    if provider in _DESCRIBED:
        named = {"accelerator": "nvidia-gb300"} if provider is Provider.GKE else {}
        described = {"instanceTypes": {provider.value: {_DESCRIBED[provider]: {**_ROW, **named}}}}
    content: dict[str, Any] = {
        "provider": provider.value,
        "region": _REGIONS.get(provider, "home"),
        "kubernetes": "1.37" if chosen.get("allocator") == "dra" else "1.36",
        "version": "1.0.0",
        "gitops": {"repository": "https://github.com/example/platform.git"},
        "queues": {},
        "hardware": described,
        "pools": {"one": {**machine, **pool, "purpose": "training", "nodes": nodes}},
        "teams": {},
    }
    if block:
        content[provider.value] = block
    if chosen.get("owner"):
        content["driver"] = {"owner": chosen["owner"]}
    return content


def _problems(
    provider: Provider, machine: dict[str, Any], chosen: dict[str, Any]
) -> tuple[Problem, ...]:
    return draft_of(Path("one.yaml"), _content(provider, machine, chosen))[1]


def _moves(problem: Problem, choices: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
    """Yield each value that a refusal names for one of the choices."""
    own, allowed = str(problem.path[-1]), problem.allowed or ""
    if allowed == f"no {own}":
        yield own, None
    if only := re.fullmatch(r"only with (purchase|provisioner) (.*)", allowed):
        own, allowed = only[1], only[2].replace(" or ", ", ")
    for said in re.split(r", or |, with |, ", allowed):
        matched = re.fullmatch(r'(?:([\w.]+) )?"?([\w-]+)"?', said)
        field = _FIELDS.get((matched[1] or own) if matched else "", "")
        if matched and field in choices:
            by_name = {str(one).lower(): one for one in choices[field]}
            if matched[2] in by_name:
                yield field, by_name[matched[2]]


@pytest.mark.parametrize("axes", [_PURCHASES, _NETWORKS, _SHARING], ids=["buy", "join", "share"])
@pytest.mark.parametrize("provider", Provider)
def test_no_two_refusals_point_at_each_other(
    provider: Provider, axes: dict[str, tuple[Any, ...]]
) -> None:
    choices = {**axes, "provisioner": _PROVISIONERS.get(provider, (None,))}
    circles = []
    for machine in _machines(provider):
        leads: dict[str, set[str]] = {}
        for values in product(*choices.values()):
            chosen = dict(zip(choices, values, strict=True))
            problems = _problems(provider, machine, chosen)
            moves = {move for each in problems for move in _moves(each, choices)}
            leads[repr(chosen)] = {repr(chosen | {field: value}) for field, value in moves}
        circles += [
            (machine, here, there)
            for here, nexts in leads.items()
            for there in nexts
            if here in leads[there]
        ]
    assert circles == []


@pytest.mark.parametrize("provider", Provider)
def test_what_a_refusal_of_a_purchase_allows_is_accepted(provider: Provider) -> None:
    """Each value for the field itself is, and one at least of all that it names."""
    choices = {**_PURCHASES, **_WAYS, "provisioner": _PROVISIONERS.get(provider, (None,))}
    chains: list[tuple[Any, ...]] = []
    for machine in _machines(provider):
        refused = {
            repr(chosen := dict(zip(choices, values, strict=True))): (
                chosen,
                [one for one in _problems(provider, machine, chosen) if _buys(one)],
            )
            for values in product(*choices.values())
        }
        for chosen, problems in refused.values():
            for one in problems:
                known, left = {each.path for each in problems} - {one.path}, []
                for field, value in _moves(one, choices):
                    _, after = refused[repr(chosen | _joined(one) | {field: value})]
                    left.append({each.path for each in after})
                    if field == one.path[-1] and one.path in left[-1]:
                        chains.append((machine, chosen, one, value))
                # A reservation goes with the purchase.
                known.add(("pools", "one", "reservation"))
                if not any(paths <= known for paths in left):
                    chains.append((machine, chosen, one))
    assert chains == []


def _buys(problem: Problem) -> bool:
    """Return whether it refuses how nodes are bought, not that something is missing."""
    is_missing = problem.what.startswith("missing")
    return problem.path[-1] in ("purchase", "queued", *_WAYS) and not is_missing


def _joined(problem: Problem) -> dict[str, Any]:
    """Return what is allowed along with each of the values."""
    return {"queued": False} if f"{problem.allowed}".endswith("with nodes.queued false") else {}


@pytest.mark.parametrize("provider", Provider)
def test_every_machine_can_be_had_in_some_way(provider: Provider) -> None:
    choices = {**_PURCHASES, "provisioner": _PROVISIONERS.get(provider, (None,))}
    refused = []
    for machine in _machines(provider):
        chosen = [
            dict(zip(choices, values, strict=True)) | {"interconnect": "ethernet"}
            for values in product(*choices.values())
        ]
        if all(any(map(_about, _problems(provider, machine, one))) for one in chosen):
            refused.append(machine)
    assert refused == _NEVER.get(provider, [])


def _about(problem: Problem) -> bool:
    """Return whether a refusal is of the pool's machine or purchase, not of what it lacks."""
    return problem.path[-1] in ("instanceType", "gpu", "purchase", "queued", "interconnect")
