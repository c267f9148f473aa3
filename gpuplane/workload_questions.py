"""Asking at a terminal for what a workload lacks, with what each answer means."""

import sys
from collections.abc import Mapping
from dataclasses import replace

import typer

from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.workloads import choices
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.workload import kind_of


def at_terminal() -> bool:
    """Return whether somebody can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def choose(what: str, meanings: Mapping[str, str]) -> str:
    """Return which of these somebody chooses, the first by default; the only one unasked."""
    first = next(iter(meanings))
    if len(meanings) == 1:
        return first
    width = max(map(len, meanings))
    for name, meaning in meanings.items():
        typer.echo(f"  {name:<{width}}  {meaning}".rstrip(), err=True)
    return ask(what, first)


def ask(what: str, default: str | None = None) -> str:
    """Return an answer, or the default in place of an empty one.

    The question goes to stderr alone, since stdout may be a file. Raises Abort at the end of input.
    """
    hint = f" [{default}]" if default is not None else ""
    while True:
        typer.echo(f"{what}{hint}: ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            raise typer.Abort
        if answer := line.strip() or default:
            return answer


def ask_number(what: str, default: int) -> int:
    """Return an answer that is a number, or the default."""
    while not (answer := ask(what, str(default))).isdecimal():
        typer.echo(f"{answer} is not a number", err=True)
    return int(answer)


def with_answers(asked: Asked, platform: Platform) -> Asked:
    """Return what is asked with the answers to all that it leaves open.

    Wrong ones are reported with all else that is wrong.
    """
    kind, cluster_teams = kind_of(asked.kind), platform.cluster.teams
    team = asked.team or choose("team", dict.fromkeys(choices.teams(platform), ""))
    if team not in cluster_teams:
        return replace(asked, team=team)
    namespaces = {each.name: each for each in choices.namespaces(platform, team, kind)}
    namespace = asked.namespace
    if namespace is None and asked.pool is None and asked.gpu is None:
        meanings = {name: _of_namespace(each) for name, each in namespaces.items()}
        namespace = choose("namespace", meanings)
    asked = replace(asked, team=team, namespace=namespace)
    if namespace is not None and namespace in namespaces:
        asked = _with_pool(asked, kind, platform, namespaces[namespace])
    if kind.spreads and asked.nodes is None:
        asked = replace(asked, nodes=ask_number("pods that compute", 1))
    image = asked.image or ask("image")
    return replace(asked, image=image)


def _with_pool(asked: Asked, kind: Kind, platform: Platform, namespace: TeamNamespace) -> Asked:
    pools = {pool.name: pool for pool in choices.pools(platform, namespace)}
    if asked.gpu is not None or not pools:
        return asked
    name = asked.pool or choose("pool", {name: _of_pool(pool) for name, pool in pools.items()})
    if name not in pools:
        return replace(asked, pool=name)
    resource = choices.usual_resource(platform, namespace, pools[name])
    most = choices.most_gpus(resource)
    gpus = asked.gpus
    if gpus is None and most > 1:
        quota = choices.quota_of(platform, namespace, pools[name], resource)
        usual = choices.usual_gpus(kind, most, quota)
        gpus = ask_number(f"GPUs of each pod, 1 to {most}", usual)
    return replace(asked, pool=name, gpus=gpus)


def _of_namespace(namespace: TeamNamespace) -> str:
    quota = ", ".join(f"{count} of {pool}" for pool, count in namespace.spec.quota.gpus.items())
    return f"{namespace.spec.purpose}; {quota}"


def _of_pool(pool: PlatformPool) -> str:
    facts, hardware = pool.facts, pool.hardware
    offered = ", ".join(f"{one.per_node} {one.name}" for one in facts.resources)
    spot = "; spot, which can be taken away at any time" if facts.spot_taint else ""
    return f"{hardware.model.name}: {offered} a node, {hardware.interconnect}{spot}"
