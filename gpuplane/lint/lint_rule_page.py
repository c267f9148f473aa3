"""The documentation page of each rule of the linter alone."""

from pathlib import Path

from gpuplane.lint.registry import TEMPLATE_RULES
from gpuplane.lint.template_rule import TemplateRule

_INSTALLED = Path(__file__).with_name("pages")
"""Where the wheel puts `docs/lint-rules` of the repository."""
_IN_REPOSITORY = Path(__file__).parents[2] / "docs" / "lint-rules"


def lint_rule_page(rule: TemplateRule) -> str:
    """Return the rule's page, in Markdown; its summary where no pages are installed."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _IN_REPOSITORY
    page = folder / f"{rule.name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else f"{rule.summary}\n"


def lint_rule_pages() -> dict[str, str]:
    """Return the page of each rule by its name."""
    return {rule.name: lint_rule_page(rule) for rule in TEMPLATE_RULES}
