"""Where the control plane of a GKE cluster is."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_location(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a location outside of the region."""
    gke, region = draft.cluster.gke, draft.cluster.region
    is_region = draft.is_read(("region",)) and re.fullmatch(draft.provider.region_pattern, region)
    if gke is None or not is_region:
        return
    zone = draft.provider.zone_pattern.replace("{region}", re.escape(region))
    if gke.location != region and not re.fullmatch(zone, gke.location):
        what = f'"{gke.location}" is not in {region}'
        yield Problem(("gke", "location"), what, f"{region}, or a zone such as {region}-a")
