"""The GPU models that are nearest to a wrong name."""

import re

from gpus.catalog import Catalog
from gpus.nearest import MAX_SUGGESTIONS, nearest


def nearest_models(name: str, catalog: Catalog) -> tuple[str, ...]:
    """Return up to `MAX_SUGGESTIONS` models, best first.

    Those whose name begins with a word of the wrong one come first: `nvidia-h200` is near to the
    form factors of the H200, and not to a B200.
    """
    words = {word for word in re.split(r"[^a-z0-9]+", name.lower()) if word}
    meant = {model for model in catalog.models if model.lower().split("-")[0] in words}
    ranked = nearest(name, meant)
    others = () if meant else nearest(name, catalog.models)
    rest = sorted(meant - set(ranked))
    return (*ranked, *rest, *others)[:MAX_SUGGESTIONS]
