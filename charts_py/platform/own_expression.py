"""What is known of the CEL of own rules, once for all checks and all clusters that share a rule."""

from functools import lru_cache

from policies.own.own_faults import OwnFault, Returns, checked_tree, own_faults
from policies.own.syntax_tree import Node

_KNOWN = 1024
"""Expressions: a platform has at most 32 rules, with three each."""


@lru_cache(_KNOWN)
def faults_in(expression: str, returns: Returns) -> tuple[OwnFault, ...]:
    """Return what keeps an expression from being evaluated alike everywhere."""
    return tuple(own_faults(expression, returns))


@lru_cache(_KNOWN)
def tree_of(expression: str) -> Node | None:
    """Return an expression as a tree; None where `faults_in` says why there is none."""
    return checked_tree(expression)
