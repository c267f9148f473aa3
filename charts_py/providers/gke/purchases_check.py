"""Machines that Google does not sell as a pool says."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft
from charts_py.providers.gke.purchases import PURCHASES


def check_purchases(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose machines are sold in other ways alone."""
    for pool in draft.pools:
        purchase, machine = pool.spec.purchase, pool.spec.instance_type or ""
        sold = PURCHASES.get(machine, draft.provider.purchases)
        if purchase in draft.provider.purchases and purchase not in sold:
            what = f'"{purchase}" is not available for {machine}'
            yield Problem((*pool.path, "purchase"), what, ", ".join(sold))
