"""The region of a cluster, in the format of its provider."""

import re
from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.spec.fault import Problem
from gpus.nearest import nearest


def check_region(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a region of another cloud."""
    region, pattern = draft.cluster.region, draft.provider.region_pattern
    if not draft.is_read(("region",)):
        return
    if not re.fullmatch(pattern, region):
        what = f'"{region}" is not a region of {draft.cluster.provider}'
        allowed = f"a string such as {draft.provider.region}, matching ^{pattern}$"
        yield Problem(("region",), what, allowed, nearest(region, draft.provider.regions))
