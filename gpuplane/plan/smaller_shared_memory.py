"""What GPU pods get less of at `/dev/shm` from now on."""

from collections.abc import Iterator

from gpuplane.plan.rule_answers import is_enforced
from gpuplane.plan.rule_clause import RuleClause
from policies.quantity import format_bytes
from policies.rule_name import RuleName
from policies.settings import Settings

_SIZES = ("cap", "default", "floor")
_FRACTION = "fraction"


def smaller_shared_memory(
    before: Settings, after: Settings, cluster: str = ""
) -> Iterator[RuleClause]:
    """Yield a clause with what is lower."""
    if lower := lower_sizes(before, after):
        where = f" on {cluster}" if cluster else ""
        changes = ", ".join(f"{name} {change}" for name, change in lower.items())
        text = f"GPU pods that start{where} get less shared memory: {changes}"
        yield RuleClause(text, ("policies", "sharedMemory", next(iter(lower))))


def lower_sizes(before: Settings, after: Settings) -> dict[str, str]:
    """Return what is lower by name, where the rule is enforced before and after."""
    is_fixed = all(is_enforced(RuleName.SHARED_MEMORY, each) for each in (before, after))
    return dict(_lower(before, after)) if is_fixed else {}


def _lower(before: Settings, after: Settings) -> Iterator[tuple[str, str]]:
    old, new = before.shared_memory, after.shared_memory
    for name in _SIZES:
        was, will_be = getattr(old, name), getattr(new, name)
        if will_be < was:
            yield name, f"{format_bytes(will_be)} in place of {format_bytes(was)}"
    if new.fraction < old.fraction:
        yield _FRACTION, f"{new.fraction} in place of {old.fraction}"
