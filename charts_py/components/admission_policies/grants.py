"""The namespaces whose quota cannot keep their pods off the pools of others, by what they may use.

Namespaces that may use the same pools share a policy, so that none grows with their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.components.admission_policies.enforced import is_enforced
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.settings import PoolSettings, Settings


@dataclass(frozen=True, slots=True)
class Grant:
    """Pools, and the namespaces that may use these and no others."""

    pools: tuple[str, ...]
    namespaces: tuple[str, ...]
    """Sorted; at least one."""


def grants_of(settings: Settings) -> tuple[Grant, ...]:
    """Return what is granted, by the first namespace of each grant.

    It holds the namespaces in which the rule is enforced, without an exception, and beside whose
    pools others have GPUs of the same vendor. What these offer does not matter: until its GPUs are
    cut or shared as its pool says, a node advertises others, and their names may be those that the
    namespace has a quota of. GPUs of another vendor never have the same names.
    """
    names: dict[tuple[str, ...], list[str]] = {}
    for name, namespace in sorted(settings.namespaces.items()):
        if (
            namespace.pools
            and is_enforced(settings, RuleName.GRANTED_POOLS, name)
            and _is_ambiguous(settings.pools, namespace.pools)
        ):
            names.setdefault(tuple(sorted(namespace.pools)), []).append(name)
    return tuple(Grant(pools, tuple(namespaces)) for pools, namespaces in names.items())


def _is_ambiguous(pools: Iterable[PoolSettings], granted: tuple[str, ...]) -> bool:
    own, others = set[str](), set[str]()
    for pool in pools:
        (own if pool.name in granted else others).add(pool.vendor)
    return bool(own & others)
