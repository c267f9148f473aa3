"""What somebody has to decide or to do, the worst first."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from charts_py.cluster_file.fault import FieldPath, counted, dotted
from charts_py.platform.placeholder import unset_fields
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.fleet_report.cluster_change import ClusterChange, gone_clusters
from gpuplane.fleet_report.figure_words import counted_gpus, gpus_words
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.plan_words import layout_words, plan_command
from gpuplane.fleet_report.pool_use import Holder, PoolUse, pool_uses
from gpuplane.fleet_report.report_page import Decision
from gpuplane.fleet_report.standing_decisions import standing_decisions
from gpuplane.plan.admission_change import admission_clauses
from gpuplane.plan.cluster_clauses import order_clauses
from gpuplane.plan.effect import PlannedObject, Verdict
from gpuplane.plan.exception_ends import extended_exceptions
from gpuplane.plan.looser_rules import looser_clauses, unfixed_clauses
from gpuplane.plan.part import reported_objects
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.quota_clauses import QuotaLoss, quota_losses
from gpuplane.plan.restart_effects import stopped_pools
from gpuplane.plan.restart_words import restart_clauses
from gpuplane.plan.rule_clause import RuleClause
from gpuplane.plan.smaller_shared_memory import smaller_shared_memory
from gpuplane.plan.stricter_rules import changing_rules, stricter_clauses
from gpuplane.plan.unmet_checks import unmet_words

_MAX_LISTED = 5
"""Objects that are listed of one cluster; the command lists all."""
REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What becomes of pods by a rule that changes."""

    kind: str
    verdict: Verdict
    text: str


_REFUSES = _Outcome(
    "refuses", Verdict.DEFERRED, "What runs stays, and may be refused when it starts again."
)
_CHANGES = _Outcome(
    "changes", Verdict.SAFE, "What runs stays as it is, and is changed when it starts again."
)
_UNFIXED = _Outcome(
    "fixes no longer", Verdict.DEFERRED, "What runs stays as it was fixed until it starts again."
)
_GIVES_LESS = _Outcome(
    "gives less", Verdict.DEFERRED, "What runs keeps its /dev/shm until it starts again."
)
_LETS_PASS = _Outcome(
    "refuses no longer", Verdict.SAFE, "What the rule kept out so far can start from now on."
)


_PASSES_LONGER = _Outcome(
    "refuses later", Verdict.SAFE, "What the exception lets pass can start until then."
)
_JUDGED = _Outcome(
    "judged by others", Verdict.SAFE, "What runs stays: new and changed pods alone are judged."
)


def decisions(fleet: Fleet, plan: Plan, changes: Sequence[ClusterChange]) -> tuple[Decision, ...]:
    found = [
        *(one for each in changes for one in _missing(each)),
        *(one for each in changes for one in _placeholders(each)),
        *_gone(plan, changes),
        *(one for each in changes for of in each.plans for one in _stopped(plan, each, of)),
        *(one for each in changes for of in each.plans for one in _upgrades(plan, each, of)),
        *(one for each in changes for of in each.plans for one in _objects(plan, each, of)),
        *(one for each in changes for of in each.plans for one in _rules(plan, each, of)),
        *(one for each in changes for of in each.plans for one in _quotas(plan, each, of)),
        *(one for each in changes for one in _layouts(each)),
        *(one for each in changes for of in each.plans for one in _versions(each, of)),
        *(one for each in changes for of in each.plans for one in _unknown(plan, of)),
        *standing_decisions(fleet, plan, changes),
    ]
    return tuple(
        sorted((_from_root(fleet, each) for each in found), key=lambda each: -each.verdict)
    )


def _from_root(fleet: Fleet, decision: Decision) -> Decision:
    return replace(
        decision, place=fleet.from_root(decision.place), text=fleet.from_root(decision.text)
    )


def _missing(change: ClusterChange) -> Iterator[Decision]:
    if not change.missing:
        return
    yield Decision(
        kind="not rendered",
        verdict=Verdict.DANGEROUS,
        title=f"{change.name}: {change.missing}",
        text="What it changes is not known, or not all of it.",
        place=change.place("version"),
        command=change.mending,
        teams=tuple(sorted(change.facts.platform.cluster.teams)),
    )


def _placeholders(change: ClusterChange) -> Iterator[Decision]:
    """Yield what nobody has set yet, all of a cluster together."""
    first, *others = (*unset_fields(change.facts.platform), None)
    if first is None:
        return
    problem = first.problem
    more = f" {counted(len(others) - 1, 'other field')} likewise." if len(others) > 1 else ""
    yield Decision(
        kind="placeholder",
        verdict=Verdict.DISRUPTIVE,
        title=f"{change.name}: {dotted(problem.path)} is still to be set",
        text=f"{problem.what}; allowed: {problem.allowed}.{more}",
        place=str(first.mark._replace(column=0)),
        command=f"gpuplane synth {change.name}",
        field=dotted(problem.path),
    )


def _gone(plan: Plan, changes: Sequence[ClusterChange]) -> Iterator[Decision]:
    for each in gone_clusters(plan, changes):
        yield Decision(
            kind="goes",
            verdict=Verdict.DISRUPTIVE,
            title=f"{each.cluster}: its file is removed",
            text=(
                f"Argo CD lets go of its {counted(each.let_go, 'object')}: they and its GPUs stay "
                "until somebody removes them."
            ),
            place="",
            command=plan_command(plan.base, each.cluster),
        )


def _stopped(plan: Plan, change: ClusterChange, of: ClusterPlan) -> Iterator[Decision]:
    """Yield which pods never start again, and then which do in part."""
    owners = {each.name: each.team_name for each in change.asked.namespaces}
    for is_offered in (False, True):
        found = [each for each in of.restarts if each.is_offered is is_offered]
        names = {one.namespace for each in found for one in each.holdings}
        teams = sorted({owners[each] for each in names & owners.keys()})
        if found:
            yield Decision(
                kind="starts in part" if is_offered else "never starts",
                verdict=Verdict.DISRUPTIVE,
                title=f"{'; '.join(restart_clauses(change.name, found))}{_when(of)}",
                text="Before this goes live, have pods ask for what pools offer and quotas allow.",
                place=change.place(*("teams", *teams[:1]) if teams else ("version",)),
                command=plan_command(plan.base, change.name),
                teams=tuple(teams),
            )


def _upgrades(plan: Plan, change: ClusterChange, of: ClusterPlan) -> Iterator[Decision]:
    """Yield what somebody has to upgrade first, which is as bad as what that does to nodes."""
    nodes = of.upgrade.objects if of.upgrade else ()
    for clause in order_clauses(of):
        yield Decision(
            kind="control plane first",
            verdict=max((each.verdict for each in nodes), default=Verdict.SAFE),
            title=clause,
            text="No merge upgrades a control plane, and another version may not know all of it.",
            place=change.place("kubernetes"),
            command=plan_command(plan.base, change.name),
        )


def _objects(plan: Plan, change: ClusterChange, of: ClusterPlan) -> Iterator[Decision]:
    """Yield the objects that are worse than rolling, those with the same reason as one."""
    alike: dict[tuple[Verdict, str], list[PlannedObject]] = {}
    for one in of.reached:
        if one.verdict > Verdict.ROLLING and not one.is_implied:
            alike.setdefault((one.verdict, one.effects[0].reason), []).append(one)
    listed = [*alike.values()]
    for objects in listed[:_MAX_LISTED]:
        first = objects[0]
        each = next(reported_objects([first]))
        effect = each.effects[0]
        more = f" and {len(objects) - 1} more" if len(objects) > 1 else ""
        yield Decision(
            kind=REFUSED if each.verdict is Verdict.IMMUTABLE else each.verdict.word,
            verdict=each.verdict,
            title=f"{change.name}: {each.kind} {each.names[0]}{more}{_when(of)}",
            text=f"{effect.said}{_left_over(change, of, first)}",
            place=change.place(*_path(change.facts.platform, first)),
            command=plan_command(plan.base, change.name),
            field=effect.named,
            source=effect.source,
            teams=tuple(sorted({team for one in objects for team in _teams_of(change, one)})),
        )
    if left := len(listed[_MAX_LISTED:]):
        yield _others(plan, change, left, of.verdict, of.verdict.word)


def _when(of: ClusterPlan) -> str:
    return ", once promoted" if of.is_later else ""


def _others(plan: Plan, change: ClusterChange, count: int, verdict: Verdict, kind: str) -> Decision:
    title = f"{change.name}: {count} more changes like these"
    command = plan_command(plan.base, change.name)
    return Decision(kind, verdict, title, "The command lists all.", "", command)


def _rules(plan: Plan, change: ClusterChange, of: ClusterPlan) -> Iterator[Decision]:
    """Yield what rules, or pools, refuse from now on, and what rules no longer fix or refuse."""
    if not (of.before and of.asked):
        return
    old, new = (policy_settings(side) for side in (of.before, of.asked))
    found = {
        _REFUSES: stricter_clauses(old, new, change.name, of.today),
        _CHANGES: changing_rules(old, new, change.name),
        _UNFIXED: unfixed_clauses(old, new, change.name, of.today),
        _GIVES_LESS: smaller_shared_memory(old, new, change.name),
        _LETS_PASS: looser_clauses(old, new, change.name, of.today),
        _PASSES_LONGER: extended_exceptions(old, new, change.name, of.today),
        _JUDGED: admission_clauses(of.before, of.asked),
    }
    for outcome, clauses in found.items():
        yield from _clauses(plan, change, of, outcome, [*clauses])


def _clauses(
    plan: Plan,
    change: ClusterChange,
    of: ClusterPlan,
    outcome: _Outcome,
    clauses: Sequence[RuleClause],
) -> Iterator[Decision]:
    for clause in clauses[:_MAX_LISTED]:
        yield Decision(
            kind=outcome.kind,
            verdict=outcome.verdict,
            title=f"{clause.text}{_when(of)}",
            text=outcome.text,
            place=change.place(*clause.field),
            command=plan_command(plan.base, change.name),
        )
    if left := len(clauses[_MAX_LISTED:]):
        yield _others(plan, change, left, outcome.verdict, outcome.kind)


def _quotas(plan: Plan, change: ClusterChange, of: ClusterPlan) -> Iterator[Decision]:
    """Yield who loses quota and stays: the removal of a namespace is a decision of its own."""
    there = {*change.asked.cluster.teams, *(each.name for each in change.asked.namespaces)}
    losses = [one for one in quota_losses(of) if (one.namespace or one.team) in there]
    for loss in losses[:_MAX_LISTED]:
        namespace = ("namespaces", loss.namespace, "quota", "gpus") if loss.namespace else ()
        yield Decision(
            kind="quota",
            verdict=Verdict.DEFERRED,
            title=f"{loss.text}{_when(of)}",
            text=f"{_running(of, loss)}; what starts again may be refused or wait.",
            place=change.place("teams", loss.team, *namespace),
            command=plan_command(plan.base, change.name),
            teams=(loss.team,),
        )
    if left := len(losses[_MAX_LISTED:]):
        yield _others(plan, change, left, Verdict.DEFERRED, "quota")


def _running(of: ClusterPlan, loss: QuotaLoss) -> str:
    """Say what becomes of pods that run by a quota that is lowered."""
    before = of.before
    pools = before and dict.fromkeys(
        pool
        for each in before.namespaces
        if each.team_name == loss.team and loss.namespace in (None, each.name)
        for pool in stopped_pools(of.outages, before, each.name)
    )
    if pools:
        return f"The same change stops pods on {', '.join(pools)}"
    return "What runs stays, even above the quota"


def _left_over(change: ClusterChange, of: ClusterPlan, planned: PlannedObject) -> str:
    """Say what quotas count, and what nodes report, of a pool that stays as it is."""
    pools = [pool for pool in planned.pools if pool in change.refused]
    if len(pools) != 1:
        return ""
    unmet = (each for each in of.remade if each.name == pools[0] and each.unmet)
    reports = "".join(f" Until then {unmet_words(each.name, each.unmet)}." for each in unmet)
    use = next(each for each in pool_uses(change.after) if each.pool.name == pools[0])
    nobody = use.of(Holder.NOBODY)
    if not nobody:
        return reports
    count = change.after.team_nodes(use.pool) * use.pool.facts.allocations_per_node
    own = sum(each.spec.quota.gpus.get(pools[0], 0) for each in change.asked.namespaces)
    return (
        f" Until then quotas count {own} of its {count} allocations, and nobody can have "
        f"{counted_gpus(nobody)}.{reports}"
    )


def _path(platform: Platform, planned: PlannedObject) -> FieldPath:
    if planned.pools and planned.pools[0] in {pool.name for pool in platform.pools}:
        return ("pools", planned.pools[0])
    if planned.team in platform.cluster.teams:
        return ("teams", planned.team or "")
    return ("version",)


def _teams_of(change: ClusterChange, planned: PlannedObject) -> tuple[str, ...]:
    if planned.team:
        return (planned.team,)
    uses = [use for use in pool_uses(change.after) if use.pool.name in planned.pools]
    return tuple(sorted({team for use in uses for team in use.teams}))


def _layouts(change: ClusterChange) -> Iterator[Decision]:
    """Yield the layouts by which more of the GPUs is lost than before."""
    if not change.plans:
        return
    before = _by_pool(change.before)
    for name, use in _by_pool(change.asked).items():
        lost, was = use.of(Holder.LOST), before[name].of(Holder.LOST) if name in before else 0
        if lost <= was:
            continue
        layout = layout_words(use.pool.facts.sharing)
        part = Fraction(lost, use.most)
        yield Decision(
            kind="layout",
            verdict=Verdict.ROLLING,
            title=f"{change.name}/{name}: {layout} leaves {_part_words(part)} of each GPU unused",
            text=(
                f"No quota can have {gpus_words(lost)} of the {counted_gpus(use.most)}. What "
                "quotas reserve less because of it is no saving: the nodes cost the same."
            ),
            place=change.place("pools", name, "sharing", "mig"),
            command=shlex.join(("gpuplane", "recommend", change.name, "--pool", name)),
            teams=use.teams,
        )


def _by_pool(platform: Platform | None) -> Mapping[str, PoolUse]:
    return {use.pool.name: use for use in pool_uses(platform)} if platform else {}


def _part_words(part: Fraction) -> str:
    return f"{part.numerator}/{part.denominator}"


def _versions(change: ClusterChange, of: ClusterPlan) -> Iterator[Decision]:
    bump = of.bump
    if bump is None or bump.is_enough:
        return
    declared = f"takes a {bump.declared.word} one" if bump.declared else "takes none"
    yield Decision(
        kind="version",
        verdict=Verdict.ROLLING,
        title=(
            f"{change.name}: {bump.new} needs a {bump.asked.word} step from {bump.old}, and "
            f"{declared}"
        ),
        text=f"Set version: {bump.least} or higher.",
        place=change.place("version"),
    )


def _unknown(plan: Plan, of: ClusterPlan) -> Iterator[Decision]:
    for each in of.not_known:
        command = plan_command(plan.base, of.cluster)
        title = f"{of.cluster}: a part of the change is not known"
        yield Decision("not known", Verdict.SAFE, title, each, "", command)
