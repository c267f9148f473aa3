"""References between names, members, quotas, and the length of names made of others."""

from collections.abc import Iterator

from charts_py.cluster_file.cluster_files import FLEET_FOLDER
from charts_py.cluster_file.fault import FieldPath, Problem, counted
from charts_py.cluster_file.queues import PLATFORM_PRIORITY
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.metrics_collection import dashboards_namespace, metrics_collection
from charts_py.platform.name_rule import CLUSTER, NAMESPACE, NameRule, check_known, check_name

# https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
_TEAM = NameRule("a team", r"[a-z]([-a-z0-9]{0,26}[a-z0-9])?", 28, "research")
_PRIORITY_CLASS = NameRule("a priority class", r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", 63, "training")
_RESERVED_PREFIX = "system-"
"""https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass"""


def check_pools(draft: Draft) -> Iterator[Problem]:
    if not draft.is_read(("pools",)):
        return
    pools = draft.names_at(("pools",))
    # No pool has capital letters, which is found at the pool itself.
    meant = {pool.lower() for pool in pools}
    for path, _, namespace in draft.namespaces():
        for pool in (each for each in namespace.quota.gpus if each not in meant):
            yield from check_known("pool", pool, pools, (*path, "quota", "gpus", pool))
    partitions = draft.cluster.slurm.partitions if draft.cluster.slurm else {}
    for name, partition in partitions.items():
        yield from check_known("pool", partition.pool, pools, ("slurm", "partitions", name, "pool"))


def check_priorities(draft: Draft) -> Iterator[Problem]:
    if not draft.is_read(("priorities",)):
        return
    ladder = draft.names_at(("priorities",)) or tuple(draft.cluster.priorities)
    of_teams = [priority for priority in ladder if priority != PLATFORM_PRIORITY]
    for team_name, team in draft.cluster.teams.items():
        for index, priority in enumerate(team.priorities):
            path = ("teams", team_name, "priorities", index)
            if priority == PLATFORM_PRIORITY and priority in ladder:
                what = f'priority "{priority}" is the platform\'s own'
                yield Problem(path, what, ", ".join(of_teams) or "none is defined for teams")
            else:
                yield from check_known("priority", priority, of_teams, path)


def check_namespaces(draft: Draft) -> Iterator[Problem]:
    teams = draft.names_at(("teams",))
    of_teams: list[FieldPath] = [("teams", team, "namespaces") for team in teams]
    if not draft.is_read(("teams",)) or not all(map(draft.is_read, of_teams)):
        return
    namespaces = [name for path in of_teams for name in draft.names_at(path)]
    for index, exception in enumerate(draft.cluster.policies.exceptions):
        path = ("policies", "exceptions", index, "namespace")
        yield from check_known("namespace", exception.namespace, namespaces, path)


def check_members(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each group that has two roles in a team, where one is enough.

    Mostly it is a part of a name with a comma in it, which YAML reads as two names.
    """
    for name, team in draft.cluster.teams.items():
        role_of: dict[str, str] = {}
        for role in ("users", "viewers", "admins"):
            for index, group in enumerate(getattr(team.members, role)):
                if group in role_of:
                    path = ("teams", name, "members", role, index)
                    what = f'group "{group}" is already among {role_of[group]}'
                    allowed = "one role a group; a name with a comma stands in quotes"
                    yield Problem(path, what, allowed)
                role_of.setdefault(group, role)


def check_quotas(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose allocations are promised more than once."""
    for pool in draft.pools:
        is_read = draft.is_read((*pool.path, "nodes", "max"))
        if pool.facts is not None and is_read and draft.is_whole((*pool.path, "sharing")):
            yield from _check_promised(draft, pool, pool.facts.allocations_per_node)


def _check_promised(draft: Draft, pool: DraftPool, per_node: int) -> Iterator[Problem]:
    shares = {
        path: namespace.quota.gpus[pool.name]
        for path, _, namespace in draft.namespaces()
        if pool.name in namespace.quota.gpus
    }
    others = ((draft.cluster.slurm_nodes(pool.name), "of Slurm"), (pool.spec.nodes.spare, "spare"))
    given = " and ".join(f"the {count} {whose}" for count, whose in others if count)
    nodes, promised = draft.cluster.team_nodes(pool.name, pool.spec), sum(shares.values())
    if nodes >= 0 and promised > nodes * per_node:
        parts = " + ".join(f"{count} ({path[-1]})" for path, count in shares.items())
        what = f"the quotas on pool {pool.name} add up to {promised}: {parts}"
        path: FieldPath = (*tuple(shares)[-1], "quota", "gpus", pool.name)
        if len(shares) == 1:
            what = f"the quota of {next(iter(shares))[-1]} on pool {pool.name} is {promised}"
        elif pool.spec.sharing.mig:
            # Another layout leaves too little for all of them, and not for the last one alone.
            path = (*pool.path, "sharing", "mig")
        each = counted(per_node, "allocation")
        yield Problem(
            path,
            what,
            f"at most {nodes * per_node}, which is {counted(nodes, 'node')} x {each}"
            + (f", without {given}" if given else ""),
        )


def check_names(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name that is not valid for its kind, or is already taken."""
    yield from check_name(CLUSTER, (), draft.name)
    if draft.name == FLEET_FOLDER:
        what = f'"{draft.name}" is the name of the folder dist/{FLEET_FOLDER}'
        yield Problem((), what, "another file name")
    for name in draft.cluster.priorities:
        path = ("priorities", name)
        yield from check_name(_PRIORITY_CLASS, path, name)
        if name.startswith(_RESERVED_PREFIX):
            what = f'"{name}" has the prefix that Kubernetes reserves for its own priority classes'
            yield Problem(path, what, f"a name without the prefix {_RESERVED_PREFIX}")
    for name in draft.cluster.teams:
        yield from check_name(_TEAM, ("teams", name), name)
    yield from _check_namespace_names(draft)


def _check_namespace_names(draft: Draft) -> Iterator[Problem]:
    reserved = draft.reserved_namespaces.union(_chosen_namespaces(draft))
    taken: dict[str, FieldPath] = {}
    for path, name, _ in draft.namespaces():
        yield from check_name(NAMESPACE, path, name)
        if name in reserved:
            yield Problem(path, f'namespace "{name}" belongs to the platform', "another name")
        if name in taken:
            what = f'namespace "{name}" already belongs to team {taken[name][1]}'
            yield Problem(path, what, "one team per namespace")
        taken.setdefault(name, path)


def _chosen_namespaces(draft: Draft) -> Iterator[str]:
    """Yield the platform's namespaces whose names the cluster file may choose."""
    monitoring = draft.cluster.addons.monitoring
    yield draft.cluster.gitops.argocd_namespace
    yield from metrics_collection(monitoring, draft.provider).namespaces
    if monitoring.dashboards is not None:
        yield dashboards_namespace(monitoring, monitoring.dashboards)
