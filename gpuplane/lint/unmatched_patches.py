"""Patches of kustomizations whose target is not there: kustomize passes over them in silence."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.kustomization import Kustomization
from gpuplane.lint.rules import without_effect
from gpus.nearest import nearest, nearest_hint
from policies.document import Json, members, name_of, shown, text

_PLAIN = re.compile(r"[\w.|-]*")
"""Names, or some to choose from; other expressions may be for anything."""


def unmatched_patches(
    chain: Sequence[Kustomization], known: Collection[Json]
) -> Iterator[LintFinding]:
    """Yield a finding for each patch that is for none of the known objects.

    A component may be for what other overlays have.
    """
    for one in chain:
        targets = {each.entry: each.target for each in one.layers if each.target is not None}
        for entry, target in ({} if one.is_component else targets).items():
            if not any(_is_target(target, each) for each in known):
                start, end = one.one.marks_of(f"{entry}/target")
                yield LintFinding(
                    without_effect.RULE.name,
                    LintSeverity.WARNING,
                    start,
                    end,
                    *_words(target, known),
                )


def _words(target: Mapping[str, Json], known: Collection[Json]) -> tuple[str, str]:
    """Return the message and the remedy."""
    kind, name = text(target.get("kind")), text(target.get("name"))
    what = shown(f"{kind} {name}".strip())
    hint = nearest_hint(nearest(name, sorted({name_of(each) for each in known})))
    message = (
        f"The patch is for {what}, which the kustomization lacks, so it changes nothing{hint}."
    )
    return message, "Name what is there, or remove the patch."


def _is_target(target: Mapping[str, Json], one: Json) -> bool:
    """Whether a target may select an object; kustomize may have added to its name."""
    wanted, there = text(target.get("name")), name_of(one)
    is_named = not _PLAIN.fullmatch(wanted) or any(each in there for each in wanted.split("|"))
    return is_named and _selects(text(target.get("kind")), text(members(one).get("kind")))


def _selects(expression: str, kind: str) -> bool:
    """Whether the regular expression of a target selects a kind; what is none may do so."""
    try:
        return not expression or re.fullmatch(expression, kind) is not None
    except re.error:
        return True
