"""Holding a name against the rule of its kind."""

import re
from collections.abc import Iterator

from charts_py.platform.provider_facts import NameRule
from charts_py.spec.fault import FieldPath, Problem


def check_name(rule: NameRule, path: FieldPath, name: str) -> Iterator[Problem]:
    """Yield a problem for a name that its kind does not take."""
    if re.fullmatch(rule.pattern, name):
        return
    what = f'"{name}" is no name for {rule.kind}'
    if len(name) > rule.longest:
        what = f'"{name}" has {len(name)} characters; {rule.kind} takes at most {rule.longest}'
    yield Problem(path, what, f"^{rule.pattern}$")
