"""The rows of the page: clusters, pools and teams, before and after."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from charts_py.cluster_file.fault import counted
from charts_py.platform.platform import PlatformPool
from gpuplane.fleet_report.answer import (
    cost_change,
    costs_at_most,
    costs_kept,
    gpu_change,
    gpus_of,
    in_quotas,
    kept_of,
    most_of,
    uses_after,
    uses_before,
)
from gpuplane.fleet_report.cluster_change import ClusterChange, gone_clusters
from gpuplane.fleet_report.figure_words import gap_words, gpus_words, known_words
from gpuplane.fleet_report.gpu_drawing import drawn_parts
from gpuplane.fleet_report.plan_words import layout_words
from gpuplane.fleet_report.pool_use import Costs, Holder, PoolUse, added_up, pool_uses
from gpuplane.fleet_report.report_page import Change, ClusterRow, PoolRow, Step, TeamRow
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.refused_pools import remade_words
from gpuplane.reports.cost.cost_statement import BudgetPlan, cost_statement

_MAX_NAMED = 3
"""Clusters that are named of a team."""


def cluster_rows(plan: Plan, changes: Sequence[ClusterChange]) -> Iterator[ClusterRow]:
    for each in changes:
        platform = each.facts.platform
        after = [*pool_uses(each.after)]
        before = uses_before([each])
        yield ClusterRow(
            cluster=each.name,
            provider=f"{platform.provider.name.value} {platform.cluster.region or ''}".strip(),
            steps=tuple(
                Step(one.old or "new", one.new or "none", _when(each, is_later=one.is_later))
                for one in each.plans
            ),
            version=platform.cluster.version,
            verdict=each.verdict,
            missing=each.missing,
            command=each.mending,
            objects=sum(len(one.objects) for one in each.plans),
            gpus_in_quotas=gpu_change(before, after, in_quotas),
            gpus_at_most=gpu_change(before, after, most_of),
            gpus_kept=gpu_change(before, after, kept_of),
            kept=cost_change(before, after, costs_kept),
            at_most=cost_change(before, after, costs_at_most),
            teams=tuple(sorted(platform.cluster.teams)),
        )
    yield from map(_gone_row, gone_clusters(plan, changes))


def _gone_row(gone: ClusterPlan) -> ClusterRow:
    return ClusterRow(
        cluster=gone.cluster,
        provider="its file is removed",
        steps=(Step(gone.old or "none", "none", "with the merge"),),
        version="none",
        verdict=gone.verdict,
        objects=gone.let_go,
    )


def _when(change: ClusterChange, *, is_later: bool) -> str:
    unknown = "" if change.is_known else "; what its pools and quotas were is not known"
    if not is_later:
        return f"with the merge{unknown}"
    platform = change.facts.platform
    live = platform.live if platform.is_live else "none"
    return f"once promoted; live is {live}{unknown}"


def pool_rows(changes: Iterable[ClusterChange]) -> Iterator[PoolRow]:
    for change in changes:
        before = {use.pool.name: use for use in pool_uses(change.before)} if change.before else {}
        asked = {pool.name: pool for pool in change.asked.pools}
        for use in pool_uses(change.after):
            yield _pool_row(change, use, before.get(use.pool.name), asked[use.pool.name])
        gone = before.keys() - asked.keys()
        for name in sorted(gone):
            yield _gone(before[name])


def _pool_row(
    change: ClusterChange, use: PoolUse, before: PoolUse | None, asked: PlatformPool
) -> PoolRow:
    pool, facts = use.pool, use.pool.facts
    is_new = bool(change.plans) and before is None and change.is_known
    is_refused = pool.name in change.refused
    sharing = facts.sharing
    geometry = facts.model.mig if sharing.mig else None
    notes = [_new_words(change)] if is_new and not change.is_new else []
    notes += _moved(use, before) if change.plans and before else []
    return PoolRow(
        cluster=use.cluster,
        pool=pool.name,
        model=facts.model.name,
        purchase=pool.spec.purchase.value,
        nodes=_nodes_words(pool),
        layout=layout_words(sharing),
        slices=geometry.memory_slices if geometry else 1,
        drawn=drawn_parts(sharing, geometry) if geometry else (),
        parts=use.parts,
        gpus_in_quotas=use.of(Holder.TEAM),
        gpus_at_most=use.most,
        gpus_kept=use.kept,
        at_most=use.costs(use.most),
        notes=tuple(notes),
        refusal=" ".join(_refusal(change, asked)) if is_refused else "",
        is_new=is_new,
    )


def _nodes_words(pool: PlatformPool) -> str:
    nodes, gpus = pool.spec.nodes, counted(pool.hardware.gpus, "GPU")
    count = str(nodes.max) if nodes.kept == nodes.max else f"{nodes.kept} to {nodes.max}"
    return f"{count} {'node' if count == '1' else 'nodes'} of {gpus}"


def _new_words(change: ClusterChange) -> str:
    last = change.plans[-1]
    return f"New with {last.new}{', once promoted' if last.is_later else ''}."


def _refusal(change: ClusterChange, asked: PlatformPool) -> Iterator[str]:
    nodes = asked.spec.nodes
    yield (
        f"Refused: its file asks for {layout_words(asked.facts.sharing)} on {nodes.kept} to "
        f"{nodes.max} nodes. The pool stays as it is drawn, and its quotas change."
    )
    remade = (pool for each in change.plans for pool in each.remade if pool.name == asked.name)
    yield from (f"If it is made again: {remade_words(pool)}." for pool in remade)


def _moved(use: PoolUse, before: PoolUse) -> list[str]:
    """Say which teams have more or less than before, and whether the pool itself grows."""
    teams = sorted({*use.teams, *before.teams})
    sides = [(team, before.of(Holder.TEAM, team), use.of(Holder.TEAM, team)) for team in teams]
    found = [f"{t}: {gpus_words(was)} → {gpus_words(now)}" for t, was, now in sides if was != now]
    if use.most != before.most:
        found.append(f"at most {gpus_words(before.most)} → {gpus_words(use.most)}")
    return found


def _gone(was: PoolUse) -> PoolRow:
    facts = was.pool.facts
    teams = [f"{each.team} {gpus_words(each.gpus)}" for each in was.parts if each.team]
    of_teams = f", of which {', '.join(teams)}" if teams else ""
    return PoolRow(
        cluster=was.cluster,
        pool=was.pool.name,
        model=facts.model.name,
        purchase=was.pool.spec.purchase.value,
        nodes="goes",
        layout=layout_words(facts.sharing),
        notes=(f"Goes with this change; it had {gpus_words(was.most)} GPUs{of_teams}.",),
    )


def team_rows(changes: Sequence[ClusterChange]) -> Iterator[TeamRow]:
    after, before = uses_after(changes), uses_before(changes)
    budgets = cost_statement([each.after for each in changes]).plans
    sides = (after, before or [])
    teams = {team for side in sides for use in side for team in use.teams}
    rows = [_team_row(team, after, before, budgets) for team in sorted(teams)]
    yield from sorted(rows, key=lambda row: (-row.gpus_in_quotas.now, row.team))


def _team_row(
    team: str, after: list[PoolUse], before: list[PoolUse] | None, budgets: Iterable[BudgetPlan]
) -> TeamRow:
    uses = [use for use in after if use.of(Holder.TEAM, team)]
    gpus = gpu_change(before, after, lambda uses: gpus_of(uses, Holder.TEAM, team))
    own = [each for each in budgets if each.budget.team == team]
    reserved = added_up(use.costs(use.of(Holder.TEAM, team)) for use in uses)
    with_budget = {each.budget.cluster for each in own}
    budget = added_up(Costs(((each.budget.currency, each.budget.month),)) for each in own)
    places = _places(uses)
    return TeamRow(
        team=team,
        places=places,
        gpus_in_quotas=gpus,
        reserved=reserved,
        budget=budget,
        budgeted=added_up(
            use.costs(use.of(Holder.TEAM, team)) for use in uses if use.cluster in with_budget
        ),
        is_above=any(each.above for each in own),
        sentence=_team_sentence(team, gpus),
        detail=f"{places}. {_team_costs(reserved, budget)}",
    )


def _places(uses: Iterable[PoolUse]) -> str:
    """Name the pools by cluster, or count them where they are on many."""
    pools: dict[str, list[str]] = {}
    for use in uses:
        pools.setdefault(use.cluster, []).append(use.pool.name)
    if len(pools) > _MAX_NAMED:
        return f"{counted(sum(map(len, pools.values())), 'pool')} on {len(pools)} clusters"
    return "; ".join(f"{cluster}: {', '.join(names)}" for cluster, names in sorted(pools.items()))


def _team_sentence(team: str, gpus: Change[Fraction]) -> str:
    now = gpus_words(gpus.now)
    if gpus.was is None or gpus.was == gpus.now:
        as_before = "" if gpus.was is None else ", as before"
        return f"{team}: {now} GPUs in quotas{as_before}."
    return f"{team}: {gpus_words(gpus.was)} → {now} GPUs in quotas."


def _team_costs(reserved: Costs, budget: Costs) -> str:
    if not reserved.amounts:
        return "Nothing that it reserves has a price."
    gap = gap_words(reserved)
    of = f", of a budget of {known_words(budget)}" if budget.amounts else ", and has no budget"
    return f"It reserves {known_words(reserved)} a month{f', {gap}' if gap else ''}{of}."
