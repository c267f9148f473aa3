"""The rules of the linter alone, in the order in which they run."""

from charts_py.lint.template_rule import TemplateRule

TEMPLATE_RULES: tuple[TemplateRule, ...] = ()
