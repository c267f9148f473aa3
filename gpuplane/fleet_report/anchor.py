"""What parts of the page are called in the fragment of its URL."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

_OTHER = re.compile(r"[^A-Za-z0-9._+-]+")
"""What HTML allows in an `id`, but not every program in a fragment."""


def anchor(*parts: str) -> str:
    """Return the name of something, as in `pools.training.h100`."""
    return ".".join(_OTHER.sub("-", part).strip("-.") or "-" for part in parts)


def distinct(anchors: Iterable[str]) -> Iterator[str]:
    """Yield the names with a number behind each that is there already."""
    seen: Counter[str] = Counter()
    taken = set[str]()
    for name in anchors:
        found = name
        while found in taken:
            seen[name] += 1
            found = f"{name}-{seen[name] + 1}"
        taken.add(found)
        yield found
