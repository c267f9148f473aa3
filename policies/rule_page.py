"""The documentation page of each rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from policies.custom_rule import CustomName
    from policies.rule_name import RuleName

_INSTALLED = Path(__file__).with_name("pages")
"""Where the wheel puts `docs/policies` of the repository."""
_IN_REPOSITORY = Path(__file__).parents[1] / "docs" / "policies"


def rule_page(rule: RuleName | CustomName) -> str:
    """Return the rule's page, in Markdown."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _IN_REPOSITORY
    return (folder / f"{rule.value}.md").read_text(encoding="utf-8")
