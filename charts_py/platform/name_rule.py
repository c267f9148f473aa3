"""The names that are valid for a kind, and checking a name against them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.other_names import respelled
from gpus.label_value import MAX_LABEL_VALUE


@dataclass(frozen=True, slots=True)
class NameRule:
    """The names that are valid for a kind."""

    kind: str
    pattern: str
    max_length: int


NAMESPACE = NameRule("a namespace", r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", 63)
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names"""


def label_value_rule(kind: str, max_length: int = MAX_LABEL_VALUE) -> NameRule:
    pattern = rf"[a-z0-9]([-a-z0-9]{{0,{max_length - 2}}}[a-z0-9])?"
    return NameRule(kind, pattern, max_length)


def check_name(rule: NameRule, path: FieldPath, name: str) -> Iterator[Problem]:
    if re.fullmatch(rule.pattern, name):
        return
    if len(name) > rule.max_length:
        what = f'"{name}" has {len(name)} characters'
        what = f"{what}; {rule.kind} may have at most {rule.max_length}"
        yield Problem(path, what, f"^{rule.pattern}$")
    else:
        what = f'"{name}" is not a valid name for {rule.kind}'
        yield Problem(path, what, f"^{rule.pattern}$", respelled(name, rule.pattern))
