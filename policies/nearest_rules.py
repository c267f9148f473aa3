"""The rules that are nearest to a wrong name: by their names, parts, or words of summaries."""

import re
from collections.abc import Iterable

from gpus.nearest import MAX_SUGGESTIONS, nearest
from policies.rule_name import RuleName


def nearest_rules(name: str, own: Iterable[str] = ()) -> tuple[str, ...]:
    """Return up to `MAX_SUGGESTIONS` names of rules, best first: `shm` is near to `shared-memory`.

    `own` are the names of a platform team's own rules. A word that more summaries have than can be
    suggested, such as `pod`, does not distinguish rules.
    """
    names = [*RuleName, *own]
    alike = nearest(name, names) or _holding(name.lower(), names)
    spoken_of = dict.fromkeys(rule for word in _words(name) for rule in _spoken_of(word))
    return alike or tuple(spoken_of)[:MAX_SUGGESTIONS]


def _holding(part: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return names that hold it, those that begin with it first; of two letters, none."""
    found = [each for each in names if len(part) > 2 and part in each]
    found.sort(key=lambda each: not each.startswith(part))
    return tuple(found[:MAX_SUGGESTIONS])


def _spoken_of(word: str) -> list[str]:
    from policies.rules import RULES  # noqa: PLC0415 # slow, and few files name an unknown rule

    summaries = {rule.name.value: _words(f"{rule.name.value} {rule.summary}") for rule in RULES}
    found = [
        rule for rule, words in summaries.items() if any(each.startswith(word) for each in words)
    ]
    return found if len(found) <= MAX_SUGGESTIONS else []


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]{3,}", text.lower())
