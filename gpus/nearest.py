"""The valid names that are nearest to a wrong one."""

import difflib
from collections.abc import Iterable, Sequence

MAX_SUGGESTIONS = 3
MAX_LENGTH = 253
"""The longest name that an object can have: `DNS1123SubdomainMaxLength` in
https://github.com/kubernetes/apimachinery/blob/v0.37.1/pkg/util/validation/validation.go. Comparing
takes 40 bytes for each character, and pods can state values of megabytes."""


def nearest(name: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return up to `MAX_SUGGESTIONS` of the allowed names, best first, ignoring case.

    A name that is too long to be one is near to none.
    """
    if len(name) > MAX_LENGTH:
        return ()
    originals = {candidate.lower(): candidate for candidate in allowed}
    close = difflib.get_close_matches(name.lower(), originals, n=MAX_SUGGESTIONS)
    return tuple(originals[match] for match in close if _is_alike(name.lower(), match))


def _is_alike(name: str, other: str) -> bool:
    """Whether two signs in a row are the same: single ones, as of `nope`, `onprem` has, too.

    Digits alone say little: `MI300X` and `B300` are of two vendors.
    """
    pairs = (name[at : at + 2] for at in range(len(name) - 1))
    alike = (pair in other and not pair.isdecimal() for pair in pairs)
    return any(alike) or is_one_typo(name, other)


def nearest_hint(close: Sequence[str]) -> str:
    """Return the end of an error message that names them; empty where there are none."""
    return f"; nearest: {', '.join(close)}" if close else ""


def is_one_typo(name: str, other: str) -> bool:
    """Return whether two names differ in one letter: left out, added, wrong, or two swapped."""
    start = _common_start(name, other)
    end = _common_start(name[start:][::-1], other[start:][::-1])
    rests = name[start : len(name) - end], other[start : len(other) - end]
    is_swapped = len(rests[0]) == 2 and rests[0] == rests[1][::-1]
    return name != other and (max(map(len, rests)) <= 1 or is_swapped)


def _common_start(name: str, other: str) -> int:
    pairs = zip(name, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(name), len(other)))
