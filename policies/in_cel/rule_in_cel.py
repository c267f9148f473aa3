"""A rule as the API server evaluates it.

Where the API server refuses a pod, it is valid and has its defaults: names, equal requests and
limits of GPUs, and quantities are as validation leaves them, and need no second look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from policies.rule_name import RuleName
from policies.settings import Settings

Variables: TypeAlias = Mapping[str, str]
"""CEL by name. Each may read those before it, as `variables.NAME`."""


def prefix_of(rule: str) -> str:
    """Return what the names of a rule's variables begin with."""
    return rule.replace("-", "_")


def no_variables(_settings: Settings) -> Variables:
    """Return none."""
    return {}


def nothing(_settings: Settings) -> str:
    """Return that nothing is found."""
    return ""


@dataclass(frozen=True, slots=True)
class RuleInCel:
    """A rule as the API server evaluates it.

    What it finds is CEL that returns a list of strings: for each finding its message and its
    remedy, word for word as the rule has them. It may read `object` and `request`, but not
    `oldObject`: evaluating it twice tells apart what an update leaves as it was.
    """

    name: RuleName
    refusals: Callable[[Settings], str] = nothing
    """What is refused; empty where that is nothing on the cluster. A fix that validation insists on
    is refused where it is missing."""
    warnings: Callable[[Settings], str] = nothing
    """What the author is warned about; empty where that is nothing on the cluster."""
    fixes: Callable[[Settings], str] = nothing
    """What is fixed: CEL that returns operations of a JSON Patch, each `[op, path, value]`; empty
    where that is nothing on the cluster. Once it is fixed there is nothing more to fix: the API
    server evaluates it twice."""
    fixes_updates: bool = False
    """Whether it fixes what an update changes, too; most of what is fixed no update can change."""
    fixes_ephemeral: bool = False
    """Whether it fixes the ephemeral containers that are added to a pod, too."""
    variables: Callable[[Settings], Variables] = no_variables
    """What only this rule reads, besides the variables of all; their names begin with its
    prefix."""
