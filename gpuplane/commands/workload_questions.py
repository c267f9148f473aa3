"""Questions about a workload, in the order in which one follows from another."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.commands.questions import ask, ask_number, choose
from gpuplane.workloads.asked import Asked, AskedError
from gpuplane.workloads.parse_request import check_values, problems_of
from gpuplane.workloads.place import chosen_place, granted_pools, namespaces_of, usual_place
from gpuplane.workloads.workload import kind_of


def with_answers(asked: Asked, platform: Platform) -> Asked:
    """Ask for whatever is open; every answer is checked as the option is.

    Raises AskedError before the first question where an option is wrong on every cluster.
    """
    kind = kind_of(asked.kind)
    open_ = {"NAME": not asked.name, "--image": asked.image is None}
    if wrong := [each for each in check_values(asked, kind) if not _is_open(each, open_)]:
        raise AskedError(wrong)
    if not asked.name:
        asked = replace(asked, name=ask("name", check=_check(asked, platform, "name", "NAME")))
    needs_image = asked.image is None and kind.image is None
    if asked.team is None or needs_image:
        asked = _with_place(asked, platform)
    if needs_image:
        check = _check(asked, platform, "image", "--image")
        asked = replace(asked, image=ask("image", check=check))
    return asked


def _is_open(problem: Problem, open_: Mapping[str, bool]) -> bool:
    return any(open_.get(str(option)) for option in problem.path)


def _check(
    asked: Asked, platform: Platform, field: str, *options: str
) -> Callable[[Any], Iterable[Problem]]:
    kind = kind_of(asked.kind)
    return lambda answer: problems_of(replace(asked, **{field: answer}), kind, platform, options)


def _with_place(asked: Asked, platform: Platform) -> Asked:
    """Ask where it runs; raise AskedError where options that say so are wrong."""
    kind = kind_of(asked.kind)
    team = asked.team or choose("team", dict.fromkeys(sorted(platform.cluster.teams), ""))
    asked = replace(asked, team=team)
    # The resource is one of the pool that is asked for next.
    chosen_place(replace(asked, resource=None), kind, platform)
    namespaces = {each.name: each for each in namespaces_of(platform, team, kind)}
    if asked.namespace is None and asked.pool is None and asked.gpu is None:
        asked = replace(asked, namespace=_namespace(asked, platform, namespaces.values()))
    if asked.namespace is not None and asked.gpu is None:
        asked = _with_pool(asked, platform, namespaces[asked.namespace])
    if kind.spreads and kind.size is None and asked.nodes is None:
        check = _check(asked, platform, "nodes", "--nodes")
        asked = replace(asked, nodes=ask_number("pods that compute", kind.least_nodes, check))
    return asked


def _namespace(asked: Asked, platform: Platform, namespaces: Iterable[TeamNamespace]) -> str:
    meanings = {}
    for each in namespaces:
        quota = ", ".join(f"{count} of {pool}" for pool, count in each.spec.quota.gpus.items())
        meanings[each.name] = f"{each.spec.purpose}; {quota}"
    check = _check(asked, platform, "namespace", "--namespace", "--pool")
    return choose("namespace", meanings, next(iter(meanings)), check)


def _with_pool(asked: Asked, platform: Platform, namespace: TeamNamespace) -> Asked:
    pools = {pool.name: pool for pool in granted_pools(platform, namespace)}
    if asked.pool is None:
        meanings = {name: _of_pool(pool) for name, pool in pools.items()}
        check = _check(asked, platform, "pool", "--pool")
        asked = replace(asked, pool=choose("pool", meanings, next(iter(pools)), check))
    place = usual_place(platform, namespace, pools[asked.pool or ""])
    kind = kind_of(asked.kind)
    if asked.gpus is None and kind.size is None and (most := place.most_gpus) > 1:
        check = _check(asked, platform, "gpus", "--gpus")
        usual = place.usual_gpus(kind)
        asked = replace(asked, gpus=ask_number(f"GPUs of each pod, 1 to {most}", usual, check))
    return asked


def _of_pool(pool: PlatformPool) -> str:
    facts, hardware = pool.facts, pool.hardware
    offered = ", ".join(f"{one.per_node} {one.name}" for one in facts.resources)
    spot = "; spot, which can be taken away at any time" if facts.spot_taint else ""
    return f"{hardware.model.name}: {offered} a node, {hardware.interconnect}{spot}"
