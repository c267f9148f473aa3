"""What a change adds to a promotion: of objects that are not live, nothing runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.versions.comparison import PlacedDocuments, diff_documents

_ABSENT = "What is live lacks it, so nothing of it runs."
_AGAIN = "It becomes what is live again, so nothing changes where it runs."


@dataclass(frozen=True, slots=True)
class Idle:
    """What no node offers, and where no pod runs, as what is live lacks it."""

    namespaces: frozenset[str] = frozenset()
    pools: frozenset[str] = frozenset()
    resources: frozenset[str] = frozenset()


NOTHING_IDLE = Idle()


def running(
    before: PlacedDocuments, after: PlacedDocuments, live: PlacedDocuments
) -> PlacedDocuments:
    """Return what a promotion changes: objects as they were rendered before, as far as they run.

    An object that live lacks comes with the promotion, and one that is live again stays. One that
    goes, moves or comes back is as and where it is live: there Argo CD prunes it, and asks the live
    object whether to wait for a confirmation.
    """
    there = {placed.key for placed in live}
    changed = {placed.key for placed in before.keys() ^ after.keys()}
    again = {each.placed for each in never_promoted(before, after, live)} & after.keys()
    runs = {
        placed: document
        for placed, document in before.items()
        if placed in after and (placed.key in there or after[placed] == document)
    }
    as_live = {placed: document for placed, document in live.items() if placed.key in changed}
    return {**runs, **as_live, **{placed: after[placed] for placed in again}}


def never_promoted(
    before: PlacedDocuments, after: PlacedDocuments, live: PlacedDocuments
) -> Iterator[PlannedObject]:
    """Yield the objects that differ from what was rendered before, and not from what is live."""
    keys = {placed.key for placed in live}
    found = diff_documents(before, after)
    changes = {
        **dict.fromkeys((each.placed for each in found.changed), Change.CHANGED),
        **dict.fromkeys(found.added, Change.ADDED),
    }
    for placed, change in changes.items():
        if placed in live and live[placed] == after[placed]:
            yield PlannedObject(placed, change, (_safe(_AGAIN),))
    for placed in found.removed:
        if placed.key not in keys:
            yield PlannedObject(placed, Change.REMOVED, (_safe(_ABSENT),))


def _safe(reason: str) -> Effect:
    return Effect(Verdict.SAFE, "", reason, source="")
