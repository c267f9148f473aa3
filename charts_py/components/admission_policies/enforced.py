"""Where a rule is enforced at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.mode import Mode

if TYPE_CHECKING:
    from policies.rule_name import RuleName
    from policies.settings import Settings


def is_enforced(settings: Settings, rule: RuleName, namespace: str) -> bool:
    """Return whether a rule is enforced in a namespace, without an exception."""
    mode = settings.stated_mode_of(rule, namespace)
    # What has no clock cannot see an exception expire.
    excepted = any((each.rule, each.namespace) == (rule, namespace) for each in settings.exceptions)
    return mode is Mode.ENFORCE and not excepted
