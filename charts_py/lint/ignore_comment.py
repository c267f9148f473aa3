"""Comments by which the linter leaves out findings: `# gpuplane: ignore[RULE, ...] REASON`."""

import re
from dataclasses import dataclass

from charts_py.lint.rule_names import RuleNames
from charts_py.lint.yaml_comments import YamlComment
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
    known = names.ignorable
    match = _DIRECTIVE.match(comment.text)
    verb = match["verb"] if match else ""
    if match is None or verb not in (IGNORE, IGNORE_FILE):
        hint = nearest_hint(nearest(verb, (IGNORE, IGNORE_FILE)))
        what = f'The comment begins with "{verb}"; allowed: {IGNORE}, {IGNORE_FILE}{hint}.'
        return IgnoreComment(comment, problems=(what,))
    named = [name.strip() for name in (match["rules"] or "").split(",") if name.strip()]
    problems = [_problem(name, names) for name in named if name not in known]
    if not named:
        problems.append(f"The comment names no rule; allowed: {_FORM}.")
    if not match["reason"]:
        problems.append(f"The comment gives no reason, so it ignores nothing: {_FORM}.")
    of_file = verb == IGNORE_FILE
    if of_file and not comment.is_at_top:
        what = f"{IGNORE_FILE} stands below the first field; allowed: at the top of the file."
        problems.append(what)
    holds = bool(match["reason"]) and (comment.is_at_top or not of_file)
    rules = tuple(dict.fromkeys(name for name in named if name in known)) if holds else ()
    return IgnoreComment(comment, rules, of_file, tuple(problems))


def _problem(name: str, names: RuleNames) -> str:
    """Return what is wrong with the name of a rule."""
    if name in names.all:
        return f"{name} cannot be ignored."
    return f'There is no rule "{name}"{nearest_hint(names.nearest(name))}.'
