"""The region of a cluster, in the spelling of its provider."""

import re
from collections.abc import Iterator

from charts_py.checks.draft import Draft
from charts_py.spec.fault import Problem
from charts_py.spec.provider import Provider


def check_region(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a region of another cloud, and for a location outside of it."""
    region, pattern = draft.cluster.region, draft.provider.region_pattern
    if not draft.is_read(("region",)):
        return
    if not re.fullmatch(pattern, region):
        what = f'"{region}" is no region of {draft.cluster.provider}'
        yield Problem(
            ("region",), what, f"text such as {draft.provider.region}, matching ^{pattern}$"
        )
    elif draft.cluster.provider is Provider.GKE and draft.cluster.gke is not None:
        location = draft.cluster.gke.location
        if location != region and not re.fullmatch(f"{re.escape(region)}-[a-z]", location):
            what = f'"{location}" is not in {region}'
            yield Problem(("gke", "location"), what, f"{region}, or a zone such as {region}-a")
