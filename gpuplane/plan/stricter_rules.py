"""What rules refuse from now on that they took before: by their mode, or by what a pool is."""

from collections.abc import Iterable, Iterator

from gpus.sharing import SharingKind
from policies.document import few
from policies.rule_name import Mode, RuleName
from policies.settings import PoolSettings, Settings
from policies.toleration import is_spot


def stricter_pools(
    before: Iterable[PoolSettings], after: Iterable[PoolSettings], cluster: str = ""
) -> Iterator[str]:
    """Yield a clause for each way in which a pool that stays refuses pods which it took.

    Each names the cluster where one is given.
    """
    pools = {pool.name: pool for pool in before}
    for pool in after:
        if (old := pools.get(pool.name)) is not None:
            place = f"{cluster}/{pool.name}" if cluster else pool.name
            yield from _stricter(old, pool, place)


def enforced_rules(before: Settings, after: Settings, cluster: str) -> Iterator[str]:
    """Yield a clause about the rules that begin to refuse, in all namespaces or in some."""
    namespaces = ("", *after.namespaces)
    rules = [
        rule.value
        for rule in RuleName
        if any(
            after.stated_mode_of(rule.value, each) is Mode.ENFORCE
            and before.stated_mode_of(rule.value, each) is not Mode.ENFORCE
            for each in namespaces
        )
    ]
    if rules:
        noun = "rule" if len(rules) == 1 else "rules"
        yield f"{cluster} refuses pods by the {noun} {few(rules)} from now on"


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
