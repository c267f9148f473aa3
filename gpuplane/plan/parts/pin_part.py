"""What a plan says of pins that name another version."""

from collections.abc import Iterator

from gpuplane.plan.parts.part import Part
from gpuplane.plan.pins.pin_change import PinChange
from gpuplane.plan.pins.pinned import PinKind
from gpuplane.plan.plan import ClusterPlan

_UNRECORDED = {
    PinKind.CHART: (
        "No record says what {old} to {new} changes, so it counts as rolling: read its "
        "release notes."
    ),
    PinKind.DRIVER: (
        "No record says what {old} to {new} changes: read its release notes. How it reaches the "
        "nodes is listed with what installs it."
    ),
    PinKind.CRDS: (
        "Objects are validated against the new definitions; whoever runs the operator that they "
        "belong to applies them. No record says what they change."
    ),
}


def pin_part(plan: ClusterPlan) -> Iterator[Part]:
    """Yield what each bump changes and how it is rolled out; nothing where there is none."""
    for change in plan.pins:
        title = f"{change.pin}: {change.old} to {change.new}"
        yield Part(title, notes=tuple(_notes(change)))


def _notes(change: PinChange) -> Iterator[str]:
    if change.rollout is None:
        yield _UNRECORDED[change.pin.kind].format(old=change.old, new=change.new)
        return
    yield change.rollout
    yield from (f"{each.verdict.word.capitalize()}: {each.what}" for each in change.changes)
    yield f"Compared: {', '.join(change.sources)}."
