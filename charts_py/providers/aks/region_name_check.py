"""Misspelt regions of Azure, which only a list of all regions can find."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft
from charts_py.providers.aks.regions import REGION_PATTERN, REGIONS
from gpus.nearest import is_one_typo, nearest

_DIGITS = "0123456789"
_ALLOWED = "one that `az account list-locations` names"


def check_region_name(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a region that is not known, but for one typo in its letters.

    One like no other is taken for new, and so is a further one of the same name.
    """
    region = draft.cluster.region
    known = {name.rstrip(_DIGITS) for name in REGIONS}
    name = region.rstrip(_DIGITS)
    has_form = re.fullmatch(REGION_PATTERN, region) is not None
    if has_form and name not in known and any(is_one_typo(name, each) for each in known):
        what = f'"{region}" is not a region of {draft.cluster.provider}'
        yield Problem(("region",), what, _ALLOWED, nearest(region, REGIONS))
