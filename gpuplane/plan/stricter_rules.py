"""What rules refuse from now on that they took before: by their mode, or by what a pool is."""

import datetime as dt
from collections.abc import Iterable, Iterator

from gpuplane.plan.exception_ends import ended_exceptions
from gpuplane.plan.looser_rules import fixing_rules
from gpuplane.plan.rule_answers import Answer, begin_to, is_enforced
from gpuplane.plan.rule_clause import RuleClause, field_of, named
from gpuplane.plan.smaller_machines import smaller_machines
from gpus.sharing import SharingKind
from policies.document import few
from policies.rule_name import RuleName
from policies.settings import NamespaceSettings, PoolSettings, Settings
from policies.toleration import is_spot


def stricter_clauses(
    before: Settings, after: Settings, cluster: str, today: dt.date
) -> Iterator[RuleClause]:
    """Yield a clause for everything that is refused from now on, each with the cluster."""
    yield from enforced_rules(before, after, cluster)
    yield from ended_exceptions(before, after, cluster, today)
    yield from narrower_settings(before, after, cluster)


def narrower_settings(before: Settings, after: Settings, cluster: str = "") -> Iterator[RuleClause]:
    """Yield a clause for each setting by which less is allowed from now on."""
    if is_enforced(RuleName.IMAGE_REGISTRY, after):
        yield from _lost_registries(before, after, cluster)
    yield from _lost_priorities(before, after, cluster)
    yield from _lost_opt_ins(before, after, cluster)
    yield from _lost_exemptions(before, after, cluster)
    yield from stricter_pools(before.pools, after.pools, cluster)


def stricter_pools(
    before: Iterable[PoolSettings], after: Iterable[PoolSettings], cluster: str = ""
) -> Iterator[RuleClause]:
    """Yield a clause for each way in which a pool that stays refuses pods which it took."""
    pools = {pool.name: pool for pool in before}
    for pool in after:
        if (old := pools.get(pool.name)) is not None:
            for text in _stricter(old, pool, _place(cluster, pool.name)):
                yield RuleClause(text, ("pools", pool.name))


def enforced_rules(before: Settings, after: Settings, cluster: str) -> Iterator[RuleClause]:
    """Yield clauses about the rules that begin to refuse, in all namespaces or in some.

    Those that change pods, and refuse what they cannot change, have one of their own.
    """
    rules, fixing = begin_to(Answer.REFUSAL, before, after), fixing_rules(after)
    if refusing := tuple(rule for rule in rules if rule not in fixing):
        text = f"{cluster} refuses pods by the {named(refusing)} from now on"
        yield RuleClause(text, field_of(refusing[0], after))
    if changing := tuple(rule for rule in rules if rule in fixing):
        text = f"{_changes(cluster, changing)}, and refuses those that do not pass even so"
        yield RuleClause(text, field_of(changing[0], after))


def changing_rules(before: Settings, after: Settings, cluster: str) -> Iterator[RuleClause]:
    """Yield a clause about the rules that begin to change pods, and refuse none."""
    if rules := begin_to(Answer.FIX, before, after):
        yield RuleClause(_changes(cluster, rules), field_of(rules[0], after))


def _changes(cluster: str, rules: tuple[str, ...]) -> str:
    return f"{cluster} changes pods by the {named(rules)} from now on"


def warning_rules(before: Settings, after: Settings, cluster: str) -> Iterator[str]:
    """Yield a clause about the rules that begin to warn, and to do no more anywhere."""
    more = [each for one in (Answer.FIX, Answer.REFUSAL) for each in begin_to(one, before, after)]
    warning = begin_to(Answer.WARNING, before, after)
    if rules := tuple(rule for rule in warning if rule not in more):
        yield f"{cluster} warns of pods by the {named(rules)} from now on"


def _place(cluster: str, name: str) -> str:
    return f"{cluster}/{name}" if cluster else name


def _lost_registries(before: Settings, after: Settings, cluster: str) -> Iterator[RuleClause]:
    field = ("policies", "registries")
    if not after.registries:
        return
    where = f" on {cluster}" if cluster else ""
    if not before.registries:
        text = f"images are allowed from {few(after.registries)} alone{where}"
        yield RuleClause(text, field)
        return
    lost = [each for each in before.registries if not each.startswith(after.registries)]
    left = [each for each in after.registries if each.startswith(tuple(lost))]
    if lost:
        but = f", except those from {few(left)}," if left else ""
        text = f"images from {few(lost)}{but} are no longer allowed{where}"
        yield RuleClause(text, field)


def _lost_priorities(before: Settings, after: Settings, cluster: str) -> Iterator[RuleClause]:
    """Yield who loses priority classes; the quota of the namespace refuses them in any mode."""
    for name, new in after.namespaces.items():
        old = before.namespaces.get(name)
        if old is None or not new.priorities:
            continue
        if text := _lost_classes(old, new):
            place = f"GPU pods in {_place(cluster, name)}"
            yield RuleClause(f"{place} {text}", ("teams", new.team, "priorities"))


def _lost_opt_ins(before: Settings, after: Settings, cluster: str) -> Iterator[RuleClause]:
    for name, new in after.namespaces.items():
        old = before.namespaces.get(name)
        if old is not None and old.spot and not new.spot:
            text = f"GPU pods in {_place(cluster, name)} have to opt in to spot nodes themselves"
            yield RuleClause(text, ("teams", new.team, "namespaces", name, "spot"))


def _lost_exemptions(before: Settings, after: Settings, cluster: str) -> Iterator[RuleClause]:
    where = f" on {cluster}" if cluster else ""
    for noun, old, new in (
        ("namespace", before.exempt_namespaces, after.exempt_namespaces),
        ("service account", before.exempt_service_accounts, after.exempt_service_accounts),
    ):
        if lost := [each for each in old if each not in new]:
            what = f"{noun}{'' if len(lost) == 1 else 's'} {few(lost)}{where}"
            text = f"rules judge pods of the {what} from now on"
            yield RuleClause(text, ("policies", "exempt"))


def _lost_classes(old: NamespaceSettings, new: NamespaceSettings) -> str:
    lost = [each for each in old.priorities if each not in new.priorities]
    if lost:
        noun = "class" if len(lost) == 1 else "classes"
        return f"can no longer have the priority {noun} {few(lost)}{_default(old, new)}"
    return "" if old.priorities else f"can have the priority classes {few(new.priorities)} alone"


def _default(old: NamespaceSettings, new: NamespaceSettings) -> str:
    if new.default_priority in (None, old.default_priority):
        return ""
    so_far = "" if old.default_priority is None else f" in place of {old.default_priority}"
    return f", and those that name none get {new.default_priority}{so_far}"


def _stricter(old: PoolSettings, new: PoolSettings, place: str) -> Iterator[str]:
    if is_spot(new) and not is_spot(old):
        yield f"pods on {place} have to opt in to spot nodes"
    most = {each.name: each.per_node for each in new.resources}
    # Of shares and MIG instances pods ask for few, and a node has many.
    for each in (one for one in old.resources if one.sharing is SharingKind.NONE):
        if 0 < (left := most.get(each.name, 0)) < each.per_node:
            yield (
                f"pods on {place} can ask for {left} {each.name} at most in place of "
                f"{each.per_node}"
            )
    yield from smaller_machines(old, new, place)
