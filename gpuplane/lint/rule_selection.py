"""The rules that a user names."""

from collections.abc import Iterable

from gpuplane.lint.rule_names import rule_names
from gpuplane.lint.selected_rules import RuleSelection
from gpuplane.versions.dist_error import DistError
from gpus.nearest import nearest_hint


def rule_selection(
    selected: Iterable[str], ignored: Iterable[str], own: Iterable[str]
) -> RuleSelection:
    """Return the selection of rules by their names.

    `own` are the names of the platform teams' own rules. Raises DistError for an unknown one, and
    where nothing would be left to look for.
    """
    selection = RuleSelection(frozenset(selected), frozenset(ignored))
    names = rule_names(own)
    for name in sorted(selection.selected | selection.ignored):
        if name not in names.all:
            hint = nearest_hint(names.nearest(name))
            if "," in name:
                raise DistError(f'unknown rule "{name}"; name one rule per option, and repeat it')
            raise DistError(f'unknown rule "{name}"; allowed: {", ".join(names.all)}{hint}')
    if selection.selected and selection.selected <= selection.ignored:
        both = ", ".join(sorted(selection.selected))
        raise DistError(f"every rule of --select is in --ignore, so none is left: {both}")
    return selection
