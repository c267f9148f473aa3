"""What a node of a pool has less of than before, by which pods that ask for more find no room."""

from collections.abc import Iterator, Sequence

from policies.quantity import MILLI, format_most, read_quantity
from policies.reach import COUNTED, most_of
from policies.settings import PoolSettings

_WORDS = {"memory": "of memory", "ephemeral-storage": "of disk"}


def smaller_machines(old: PoolSettings, new: PoolSettings, place: str) -> Iterator[str]:
    """Yield a clause with all that machines have less of; nobody knows whether pods ask for it."""
    lower = dict(_lower(old, new))
    more = _joined([_words(name, most) for name, most in lower.items() if most])
    any_of = _joined([name for name, most in lower.items() if not most])
    found = (f"more than {more}" if more else "", f"any {any_of}" if any_of else "")
    if asked := " or ".join(filter(None, found)):
        yield (
            f"pods on {place} that ask for {asked} may be refused, or wait, when they start again"
        )


def _joined(words: Sequence[str]) -> str:
    *first, last = words or ("",)
    return f"{', '.join(first)} or {last}" if first else last


def _lower(old: PoolSettings, new: PoolSettings) -> Iterator[tuple[str, int]]:
    """Yield what is lower and how much pods can have of it then."""
    for name in (*COUNTED, *sorted(old.others)):
        most = most_of(new, name)
        was, will_be = (_size(pool, name) for pool in (old, new))
        if was is not None and will_be is not None and most is not None and will_be < was:
            yield name, most


def _size(pool: PoolSettings, resource: str) -> int | None:
    """Return the size of a node, whatever daemons the platform has there."""
    if resource == "cpu":
        return pool.cpu * MILLI
    daemons = int(read_quantity(pool.daemons.get(resource)) or 0)
    most = most_of(pool, resource)
    return None if most is None else most + daemons


def _words(resource: str, most: int) -> str:
    amount = format_most(resource, most)
    if resource == "cpu":
        return f"{amount} CPU{'' if amount == '1' else 's'}"
    return f"{amount} {_WORDS.get(resource, resource)}"
