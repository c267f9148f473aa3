"""GPU models as people type them: in any case, and without the end that tells one from no other."""

from collections.abc import Collection

from charts_py.cluster_file.fault import RenderError
from gpus.catalog import load_catalog

_SHORTEST = 2
"""Characters of a beginning; one alone is more likely a slip."""


def whole_model_name(name: str, models: Collection[str]) -> str:
    """Return the model that is meant; the name itself where none is.

    A known model is meant by its whole name, also where it is none of these. Raises RenderError
    where several begin so.
    """
    spelled = {each.lower(): each for each in models}
    known = {each.lower(): each for each in load_catalog().models}
    if name.lower() not in spelled and name.lower() in known:
        return known[name.lower()]
    begins = name.lower() if len(name) >= _SHORTEST else None
    meant = [whole for each, whole in spelled.items() if begins and each.startswith(begins)]
    if len(meant) > 1 and name.lower() not in spelled:
        raise RenderError(f'"{name}" could be several GPU models; allowed: {", ".join(meant)}')
    return meant[0] if len(meant) == 1 else spelled.get(name.lower(), name)
