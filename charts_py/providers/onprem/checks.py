"""Checks of a cluster file that only on-premises clusters need."""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft, DraftPool


def check_match(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for pools that claim the same nodes.

    Two pools do so for certain when they have the same GPU and one of them names no machine, or
    both name one by the same expression; whether two expressions overlap cannot be known.
    """
    for pool in draft.pools:
        if draft.is_whole((*pool.path, "match")):
            yield from _rivals(pool, draft.pools)


def _rivals(pool: DraftPool, pools: Iterable[DraftPool]) -> Iterator[Problem]:
    others = [other for other in pools if other.name != pool.name and _same_gpu(pool, other)]
    if pool.spec.match.hostnames:
        for other in (other for other in others if other.name < pool.name):
            yield from _shared_expressions(pool, other)
    elif others:
        names = ", ".join(other.name for other in others)
        yield Problem(
            (*pool.path, "match"),
            f"it names no machines, so it also claims those of {names}, which have the same GPU",
            "hostnames: regular expressions on the names of its nodes",
        )


def _shared_expressions(pool: DraftPool, other: DraftPool) -> Iterator[Problem]:
    for index, expression in enumerate(pool.spec.match.hostnames):
        if expression in other.spec.match.hostnames:
            yield Problem(
                (*pool.path, "match", "hostnames", index),
                f'"{expression}" already belongs to {other.name}, which has the same GPU',
                "an expression of its own",
            )


def _same_gpu(pool: DraftPool, other: DraftPool) -> bool:
    """Return whether NFD cannot tell the GPUs of two pools apart."""
    if pool.hardware is None or other.hardware is None:
        return False
    model, rival = pool.hardware.model, other.hardware.model
    return (model.vendor, model.pci_device) == (rival.vendor, rival.pci_device)
