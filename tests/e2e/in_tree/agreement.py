"""What each way decides about a pod, where the ways agree, and why they differ where they do."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from charts_py.objects.document import Document
from gpus.platform_names import FIXED, JUDGED
from policies.admission import Admission, Effect
from policies.finding import Finding, Severity
from policies.rule_name import RuleName
from tests.e2e.in_tree.decision import Decision
from tests.e2e.in_tree.sent_pods import SentPod


class Way(StrEnum):
    """Who decides."""

    ADMIT = "gpuplane admit"
    WEBHOOK = "webhook"
    API_SERVER = "API server"
    BACKSTOP = "backstop"


OTHERS = (Way.WEBHOOK, Way.API_SERVER, Way.BACKSTOP)
"""Which `gpuplane admit` is compared with."""


@dataclass(frozen=True, slots=True)
class Decided:
    sent: SentPod
    admitted: Admission
    """By `gpuplane admit`."""
    defaulted: Decision
    """What the API server makes of the pod that admit makes, while nobody else looks at it."""
    by: Mapping[Way, Decision]
    """By the API server, in those of the other ways that were asked."""
    judged: Set[str | None] = frozenset({None})
    """By what the webhook may vouch for it in backstop; None: not at all."""
    again: Decision | None = None
    """By the policies alone about the pod that admit makes, which needs nothing more; None where
    they were not asked."""


_POLICY = "pods-denied.gpuplane.io"
_NEAREST = re.compile(r"; (?:nearest: |none is ).*?(?=\.(?: |$))")
_RULES = "|".join(RuleName)
_NAMED = re.compile(rf"(?:^|\. )({_RULES}): ")
_BETWEEN = re.compile(rf"(?<=\.) (?=(?:{_RULES}): )")
_UNREAD = re.compile(r"The (?:review|object) is larger than \d+ bytes")
_COSTS = "cost limit exceeded"
_LONG = 1024
"""Characters of an annotation."""


class Deed(NamedTuple):
    rule: str | None
    """None where a denial names none."""
    effect: Effect


class Explanation(NamedTuple):
    """Why a way does otherwise than `gpuplane admit`."""

    sentence: str
    holds: Callable[[Decided, Way, Deed], bool]
    """Whether it is why a way does, or leaves undone, what `gpuplane admit` does not, or does."""


def is_pod(decided: Decided) -> bool:
    """Tell whether the API server has nothing of its own against it."""
    return not decided.defaulted.refusal


def is_vouched_for(decided: Decided) -> bool:
    """Tell whether the webhook says of the pod that is made that nothing is wrong with it."""
    pod = decided.by[Way.BACKSTOP].pod
    return pod is not None and JUDGED in pod["annotations"]


def deeds_of(decided: Decided, way: Way) -> frozenset[Deed]:
    """Return what rules do with a pod by one way; what is fixed of a denied pod nobody sees."""
    if not is_pod(decided):
        return frozenset()
    if way is Way.ADMIT:
        return _deeds_of_admit(decided, is_made=decided.admitted.allowed)
    return frozenset(_deeds(decided, decided.by[way]))


def differences(decided: Decided, way: Way) -> frozenset[Deed]:
    """Return what either this way or `gpuplane admit` does, and not both."""
    if not is_pod(decided):
        return frozenset()
    is_made = decided.by[way].pod is not None
    return _deeds_of_admit(decided, is_made=is_made) ^ deeds_of(decided, way)


def explanation_of(decided: Decided, way: Way, deed: Deed) -> str | None:
    """Return the name of what explains a difference; None where nothing does."""
    for name, each in EXPLANATIONS.items():
        if each.holds(decided, way, deed):
            return name
    return None


def faults(decided: Decided, way: Way) -> Iterator[str]:
    """Yield what nothing explains: deeds, words, and pods that are not the same."""
    decision = decided.by[way]
    if _objections(decision.refusal) != _objections(decided.defaulted.refusal):
        yield f"{way}: the API server says {decision.refusal!r} by itself"
    if not is_pod(decided):
        return
    for deed in differences(decided, way):
        if explanation_of(decided, way, deed) is None:
            yield f"{way}: {deed}"
    if _is_another(decided, way):
        yield f"{way}: another pod: {decision.pod}"
    for said, expected in _words(decided, way):
        if said != expected:
            yield f"{way}: {said!r} in place of {expected!r}"


def _is_another(decided: Decided, way: Way) -> bool:
    made = decided.by[way].pod
    if made is None or _fixing_costs_too_much(decided, way):
        return False
    if way is Way.BACKSTOP and made["annotations"].get(JUDGED) not in decided.judged:
        return True
    return _without_verdict(made, way) != decided.defaulted.pod


def _without_verdict(pod: Document, way: Way) -> Document:
    """Return a pod as the other ways make it, which vouch for none."""
    if way is not Way.BACKSTOP:
        return pod
    annotations = {name: each for name, each in pod["annotations"].items() if name != JUDGED}
    return {**pod, "annotations": annotations}


def _objections(refusal: str) -> frozenset[str]:
    """Return what the API server has against a pod, which it tells in any order."""
    return frozenset(refusal.replace("[", " ").replace("]", " ").replace(", ", " ").split())


def _deeds_of_admit(decided: Decided, *, is_made: bool) -> frozenset[Deed]:
    seen = {Effect.DENIED, Effect.WARNED}
    if is_made and not _is_annotated(decided):
        seen.add(Effect.FIXED)
    outcomes = decided.admitted.outcomes
    return frozenset(
        Deed(each.finding.rule, each.effect) for each in outcomes if each.effect in seen
    )


def _is_annotated(decided: Decided) -> bool:
    """Tell whether its author says what was fixed, so that nobody can tell what was."""
    return FIXED in (decided.sent.document["metadata"].get("annotations") or {})


def _deeds(decided: Decided, decision: Decision) -> Iterator[Deed]:
    for warning in decision.warnings:
        yield from (Deed(RuleName(name), Effect.WARNED) for name in _NAMED.findall(warning))
    if decision.denial:
        names = _NAMED.findall(decision.denial)
        yield from (Deed(RuleName(name), Effect.DENIED) for name in names)
        if not names:
            yield Deed(None, Effect.DENIED)
    elif decision.pod is not None and not _is_annotated(decided):
        for name in filter(None, decision.pod["annotations"].get(FIXED, "").split(",")):
            yield Deed(RuleName(name), Effect.FIXED)


def _words(decided: Decided, way: Way) -> Iterator[tuple[list[str], list[str]]]:
    """Yield what a way says, with what `gpuplane admit` does."""
    admitted, decision = decided.admitted, decided.by[way]
    if any(unread(decided, way) for unread in _UNREAD_BY):
        return
    if any(each.rule is RuleName.GPU_COUNT for each in admitted.denials):
        # It is valid only as a fraction of a device class; the API server has copied it from the
        # limits to the requests, which the rule judges as well.
        return
    if way is Way.WEBHOOK:
        yield sorted(decision.warnings), sorted(admitted.warnings)
        yield _sentences(decision.denial), sorted({*map(str, admitted.denials)})
        return
    told = _of_fixes(admitted).warnings if way is Way.BACKSTOP else ()
    warned = (each for each in admitted.with_effect(Effect.WARNED) if not _is_of_fix(each))
    said = _sentences(" ".join(decision.warnings))
    yield _without_nearest(said), _without_nearest([*told, *warned])
    if decision.policy == _POLICY:
        yield _sentences(decision.denial), _without_nearest(admitted.denials)


def _sentences(said: str) -> list[str]:
    """Return what is said of each finding, in an order that does not hang on the pod's."""
    return sorted(filter(None, _BETWEEN.split(said)))


def _without_nearest(said: Iterable[Finding | str]) -> list[str]:
    return sorted(_NEAREST.sub("", str(each)) for each in said)


def _of_fixes(admitted: Admission) -> Admission:
    """Return the part that policies are silent about, and the webhook tells before them."""
    outcomes = tuple(each for each in admitted.outcomes if _is_of_fix(each.finding))
    return admitted._replace(outcomes=outcomes)


def _is_of_fix(finding: Finding) -> bool:
    return finding.severity is Severity.FIX


def _is_longer_than_read(decided: Decided, way: Way, _deed: Deed | None = None) -> bool:
    return _UNREAD.match(decided.by[way].denial) is not None


def _costs_too_much(decided: Decided, way: Way, _deed: Deed | None = None) -> bool:
    decision = decided.by[way]
    return any(_COSTS in each for each in (decision.denial, *decision.warnings))


def _fixing_costs_too_much(decided: Decided, way: Way, _deed: Deed | None = None) -> bool:
    """Tell whether an annotation is long, and did not become node affinity as it should."""
    annotations = decided.sent.document["metadata"].get("annotations") or {}
    fixed = Deed(RuleName.NODE_AFFINITY, Effect.FIXED)
    return (
        way is Way.API_SERVER
        and any(len(value) > _LONG for value in annotations.values())
        and fixed in _deeds_of_admit(decided, is_made=True) - deeds_of(decided, way)
    )


_UNREAD_BY = (_is_longer_than_read, _costs_too_much, _fixing_costs_too_much)


def _is_fix_unsaid(decided: Decided, way: Way, deed: Deed) -> bool:
    warned = decided.admitted.with_effect(Effect.WARNED)
    return (
        way is Way.API_SERVER
        and deed.effect is Effect.WARNED
        and all(_is_of_fix(each) for each in warned if each.rule is deed.rule)
    )


EXPLANATIONS = {
    "too long for the webhook": Explanation(
        "The webhook denies a pod that is longer than it reads; `gpuplane admit` reads any.",
        _is_longer_than_read,
    ),
    "too much for CEL": Explanation(
        "What is found in the pod costs more than the API server's budget for CEL: it is denied.",
        _costs_too_much,
    ),
    "too much to fix in CEL": Explanation(
        "An annotation of thousands of values, in dozens of node terms, costs more than the API "
        "server's budget for CEL: the terms are left as they are, which harms the pod alone.",
        _fixing_costs_too_much,
    ),
    "a fix not made": Explanation(
        "In the mode `warn`, the API server is silent about what the rule would only fix; in the "
        "backstop the webhook tells of it.",
        _is_fix_unsaid,
    ),
}
"""By name; a difference has the first that holds."""
