"""The region of a cluster, in the format of its provider."""

import re
from collections.abc import Iterable, Iterator
from string import digits

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft
from gpus.nearest import nearest

_FURTHER = 3
"""How many regions more of one name there may be than those known."""


def check_region(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a region that the cloud cannot have.

    One that is not known may be new: only its form and its number can be checked.
    """
    region, pattern = draft.cluster.region, draft.provider.region_pattern
    if not draft.is_read(("region",)):
        return
    if not re.fullmatch(pattern, region):
        what = f'"{region}" is not a region of {draft.cluster.provider}'
        allowed = f"a string such as {draft.provider.region}, matching ^{pattern}$"
        yield Problem(("region",), what, allowed, nearest(region, draft.provider.regions))
        return
    last = _last_of_its_name(region, draft.provider.regions)
    if last is not None and _number(region) > _number(last) + _FURTHER:
        what = f'"{region}" is not a region of {draft.cluster.provider}; the last known is {last}'
        yield Problem(("region",), what, f"one that there is, or {_FURTHER} numbers more")


def _last_of_its_name(region: str, known: Iterable[str]) -> str | None:
    """Return the known region that has the same name and the highest number, if any."""
    alike = (one for one in known if one.rstrip(digits) == region.rstrip(digits))
    return max(alike, key=_number, default=None)


def _number(region: str) -> int:
    """Return the number at the end; the first region of a name may have none."""
    return int(region[len(region.rstrip(digits)) :] or 1)
