"""GPU models as people type them: in any case, and as short as one of them alone begins."""

from collections.abc import Collection

from charts_py.cluster_file.fault import RenderError


def whole_model_name(name: str, models: Collection[str]) -> str:
    """Return the model that is meant; the name itself where none is.

    Raises RenderError where several begin so.
    """
    spelled = {each.lower(): each for each in models}
    meant = [whole for each, whole in spelled.items() if name and each.startswith(name.lower())]
    if len(meant) > 1 and name.lower() not in spelled:
        raise RenderError(f'"{name}" could be several GPU models; allowed: {", ".join(meant)}')
    return meant[0] if len(meant) == 1 else spelled.get(name.lower(), name)
