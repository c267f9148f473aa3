"""What of a document is no longer there, or no longer what it was."""

from collections.abc import Iterator

from policies.document import Json, pointer


def lost_fields(before: Json, after: Json, path: str = "") -> Iterator[str]:
    """Yield JSON Pointers to what was changed or removed; what was null may be anything."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name, member in before.items():
            yield from lost_fields(member, after.get(name), path + pointer(name))
    elif isinstance(before, list) and isinstance(after, list):
        if len(after) < len(before):
            yield path
        for index, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from lost_fields(one, other, path + pointer(index))
    elif before is not None and before != after:
        yield path
