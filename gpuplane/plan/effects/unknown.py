"""What is said of a change that no row of the table covers."""

from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effect import Change, Effect
from gpuplane.plan.verdict import Verdict

VERDICTS = {
    Change.ADDED: Verdict.ROLLING,
    Change.CHANGED: Verdict.ROLLING,
    Change.REMOVED: Verdict.DISRUPTIVE,
}
"""Nothing is known to be safe of which nothing is known. A controller usually answers a change by
restarting pods, and takes away what it made for an object that goes."""


def unknown(change: ObjectChange, field: str) -> Effect:
    """Return the effect of a change of which nothing is known."""
    kind, _ = change.names
    what = f"this field of {kind}" if field else f"objects of the kind {kind}"
    return Effect(
        VERDICTS[change.change],
        field,
        f"Not known: gpuplane has no facts about {what}. Read what its controller does with it.",
        source="",
        is_certain=False,
        is_known=False,
    )
