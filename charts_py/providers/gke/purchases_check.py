"""Machines that Google does not sell as a pool says."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_purchases(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose machines are sold in other ways alone."""
    offered = draft.catalog.instance_types[draft.provider.name]
    for pool in draft.pools:
        purchase, machine = pool.spec.purchase, offered.get(pool.spec.instance_type or "")
        sold = (machine.purchases if machine else ()) or draft.provider.purchases
        if machine and purchase in draft.provider.purchases and purchase not in sold:
            what = f'"{purchase}" is not available for {machine.name}'
            yield Problem((*pool.path, "purchase"), what, ", ".join(sold))
