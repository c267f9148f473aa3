"""GPU models that GKE does not offer."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft
from gpus.nearest import nearest


def check_accelerator(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool on GKE whose GPU has no name there."""
    known = draft.catalog.accelerators(draft.provider.name)
    for pool in draft.pools:
        model = pool.hardware.model.name if pool.hardware else None
        if model is not None and model not in known:
            what = f"{model} is not available on GKE"
            yield Problem((*pool.path, "gpu"), what, ", ".join(known), nearest(model, known))
