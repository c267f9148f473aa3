"""Pools whose machines or prices may not be what the file says."""

from collections.abc import Iterator

from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning
from gpus.catalog import load_catalog


def warn_of_boards(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each pool with more GPUs of a board that NVLink joins than it has."""
    for pool in platform.pools:
        model, gpus = pool.hardware.model, pool.spec.gpus
        if gpus is None or not model.nvlink or gpus <= (most := _most(model.name)) or not most:
            continue
        what = f"no machine is known with {gpus} GPUs of {model.name}: NVLink joins {most}"
        allowed = f"at most {most}, and more nodes"
        yield ClusterWarning(platform.fault(("pools", pool.name, "gpus"), what, allowed))


def warn_of_unnamed_reservation(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each pool that may be bought on demand, though it says otherwise."""
    if not platform.provider.makes_nodes:
        return
    for pool in platform.pools:
        if pool.spec.purchase.takes_reservation and pool.spec.reservation is None:
            path = ("pools", pool.name, "purchase")
            what = f'"{pool.spec.purchase}" without a reservation; nodes may be bought on demand'
            allowed = "a reservation that the pool names, or purchase: on-demand"
            yield ClusterWarning(platform.fault(path, what, allowed))


def _most(model: str) -> int:
    """Return the most GPUs of a model that a listed machine has; 0 where none is listed."""
    listed = (each for types in load_catalog().instance_types.values() for each in types.values())
    return max((int(each.gpus) for each in listed if each.gpu == model), default=0)
