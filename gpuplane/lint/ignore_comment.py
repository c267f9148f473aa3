"""Comments by which the linter leaves out findings: `# gpuplane: ignore[RULE, ...] REASON`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpuplane.lint.rule_names import RuleNames
from gpuplane.lint.yaml_comments import YamlComment
from gpus.nearest import nearest, nearest_hint

IGNORE, IGNORE_FILE = "ignore", "ignore-file"
_FORM = f"# gpuplane: {IGNORE}[RULE, ...] REASON"
_DIRECTIVE = re.compile(r"(?P<verb>[\w-]*)\s*(?:\[(?P<rules>[^\]]*)\])?\s*(?P<reason>.*)")


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """What a comment leaves out."""

    comment: YamlComment
    rules: tuple[str, ...] = ()
    of_file: bool = False
    """Whether it is about the whole file."""
    problems: tuple[str, ...] = ()
    """What is wrong with it, a full sentence each."""


def read_comment(comment: YamlComment, names: RuleNames) -> IgnoreComment:
    """Return what a comment leaves out; nothing where it gives no reason."""
    match = _DIRECTIVE.match(comment.text)
    verb = match["verb"] if match else ""
    if match is None or verb not in (IGNORE, IGNORE_FILE):
        hint = nearest_hint(nearest(verb, (IGNORE, IGNORE_FILE)))
        what = f'The comment begins with "{verb}"; allowed: {IGNORE}, {IGNORE_FILE}{hint}.'
        return IgnoreComment(comment, problems=(what,))
    named = [name.strip() for name in (match["rules"] or "").split(",") if name.strip()]
    invalid = [*_problems(comment, verb, match["reason"])]
    known = dict.fromkeys(name for name in named if name in names.ignorable)
    return IgnoreComment(
        comment,
        rules=() if invalid else tuple(known),
        of_file=verb == IGNORE_FILE,
        problems=(*_problems_of_names(named, names), *invalid),
    )


def _problems(comment: YamlComment, verb: str, reason: str) -> Iterator[str]:
    """Yield why a comment ignores nothing, whichever rules it names."""
    if not reason:
        yield f"The comment gives no reason, so it ignores nothing: {_FORM}."
    if verb == IGNORE_FILE and not comment.is_at_top:
        yield f"{IGNORE_FILE} stands below the first field; allowed: at the top of the file."


def _problems_of_names(named: Sequence[str], names: RuleNames) -> Iterator[str]:
    yield from (_problem(name, names) for name in named if name not in names.ignorable)
    if not named:
        yield f"The comment names no rule; allowed: {_FORM}."


def _problem(name: str, names: RuleNames) -> str:
    """Return what is wrong with the name of a rule."""
    if name in names.all:
        return f"{name} cannot be ignored."
    return f'There is no rule "{name}"{nearest_hint(names.nearest(name))}.'
