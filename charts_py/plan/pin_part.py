"""What is told of pins that name another version."""

from collections.abc import Iterator

from charts_py.plan.part import Part
from charts_py.plan.pins.pin_change import PinChange
from charts_py.plan.pins.pinned import PinKind
from charts_py.plan.plan import ClusterPlan


def pin_part(plan: ClusterPlan) -> Iterator[Part]:
    """Yield what each bump changes and how it is rolled out; nothing where there is none."""
    for change in plan.pins:
        title = f"{change.pin}: {change.old} to {change.new}"
        yield Part(title, notes=tuple(_notes(change)))


def _notes(change: PinChange) -> Iterator[str]:
    if change.rollout is None:
        if change.pin.kind is PinKind.CRDS:
            yield (
                "Objects are validated against the new definitions; whoever runs what brings them "
                "applies them. No record says what they change."
            )
            return
        yield (
            f"No record says what {change.old} to {change.new} changes, so that it is taken as "
            f"{change.verdict.word}: read its release notes."
        )
        return
    yield change.rollout
    yield from (f"{each.verdict.word.capitalize()}: {each.what}" for each in change.changes)
    yield f"Compared: {', '.join(change.sources)}."
