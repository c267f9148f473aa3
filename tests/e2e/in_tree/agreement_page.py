"""The page that tells, rule by rule, how the ways agree."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from policies.admission import Effect
from policies.rules import RULES
from tests.e2e.folders import DOCS
from tests.e2e.in_tree.agreement import (
    EXPLANATIONS,
    OTHERS,
    Decided,
    Deed,
    Way,
    deeds_of,
    differences,
    explanation_of,
    is_pod,
    is_vouched_for,
)
from tests.e2e.in_tree.sent_pods import Source

PAGE = DOCS / "agreement.md"
_EFFECTS = (Effect.FIXED, Effect.DENIED, Effect.WARNED)
_HEAD = """\
# How webhook and API server policies are kept equal

The [rules](policies/README.md) are enforced [in three places](admission.md): by the webhook, by
`gpuplane admit`, and by the API server with policies in CEL. One corpus of pods is decided about in
each of them, and by webhook and policies together, and the decisions are compared: whether a pod is
denied, by which rules and in which words, what it is warned of, and, field by field, the pod that
the API server of Kubernetes {kubernetes} then makes of it. The order of what is said and the
nearest names, of which CEL tells none, are not compared.

`tests/e2e/in_tree/test_agreement.py` writes this page. It fails for a difference that nothing below
explains, for an explanation that explains nothing, and for a rule that acts on fewer than {least}
pods.

## Pods

They are created on the clusters {clusters}, in the namespaces of teams and in one of none.
"""


def acting(pods: Sequence[Decided]) -> Mapping[str, int]:
    """Return on how many pods each rule acts, by any of the ways."""
    return Counter(
        rule
        for each in pods
        for rule in {deed.rule for way in Way for deed in deeds_of(each, way)}
        if rule is not None
    )


def acting_in_vain(pods: Sequence[Decided]) -> Mapping[str, int]:
    """Return the same of `gpuplane admit` and the pods that the API server refuses by itself."""
    return Counter(
        rule
        for each in pods
        if not is_pod(each)
        for rule in {outcome.finding.rule for outcome in each.admitted.outcomes}
    )


def explained(pods: Sequence[Decided]) -> Mapping[tuple[str, str | None], int]:
    """Return how many pods each explanation is needed for, by rule."""
    return Counter(found for each in pods for found in _explained(each))


def _explained(decided: Decided) -> set[tuple[str, str | None]]:
    return {
        (explanation_of(decided, way, deed) or "", deed.rule)
        for way in OTHERS
        for deed in differences(decided, way)
    }


def page(decided: Mapping[str, Sequence[Decided]], kubernetes: str, least: int) -> str:
    """Return the page on what was decided about the pods of each cluster."""
    pods = [each for those in decided.values() for each in those]
    head = _HEAD.format(kubernetes=kubernetes, least=least, clusters=", ".join(decided))
    return "\n".join([head, *_sources(pods), "", *_rules(pods), "", *_explanations(pods), ""])


def _sources(pods: Sequence[Decided]) -> Iterator[str]:
    yield "| Pods | Sent | Made alike | Vouched for | Denied | Refused by the API server itself |"
    yield "|---|---:|---:|---:|---:|---:|"
    for source in Source:
        yield _row(source, [each for each in pods if each.sent.source is source])
    yield _row("**all**", pods)


def _row(name: str, pods: Sequence[Decided]) -> str:
    made = sum(each.by[Way.WEBHOOK].pod is not None for each in pods)
    vouched = sum(map(is_vouched_for, pods))
    valid = sum(map(is_pod, pods))
    counts = (len(pods), made, vouched, valid - made, len(pods) - valid)
    return f"| {name} | {' | '.join(map(str, counts))} |"


def _rules(pods: Sequence[Decided]) -> Iterator[str]:
    yield (
        "## Rules\n\nPods on which each rule acts. Several numbers are those of `gpuplane admit`, "
        "of the webhook, of the\nAPI server and of the backstop; one is that of all. The last "
        "column has pods that the API server refuses\nby its own validation.\n"
    )
    yield "| Rule | Fixed | Denied | Warned | Differences | Not valid |"
    yield "|---|---:|---:|---:|---|---:|"
    in_vain = acting_in_vain(pods)
    counts = {way: Counter(deed for each in pods for deed in deeds_of(each, way)) for way in Way}
    why = explained(pods)
    for rule in RULES:
        cells = [
            _cell([counts[way][Deed(rule.name, effect)] for way in Way]) for effect in _EFFECTS
        ]
        named = (
            f"{name}: {count}" for name in EXPLANATIONS if (count := why.get((name, rule.name)))
        )
        link = f"[{rule.name.value}](policies/{rule.name.value}.md)"
        yield f"| {link} | {' | '.join(cells)} | {', '.join(named)} | {in_vain[rule.name] or ''} |"


def _cell(counts: list[int]) -> str:
    if len(set(counts)) > 1:
        return " · ".join(map(str, counts))
    return str(counts[0] or "")


def _explanations(pods: Sequence[Decided]) -> Iterator[str]:
    yield "## Differences\n\n| | Pods | |\n|---|---:|---|"
    for name, each in EXPLANATIONS.items():
        count = sum(any(found == name for found, _ in _explained(one)) for one in pods)
        yield f"| {name} | {count} | {each.sentence} |"
