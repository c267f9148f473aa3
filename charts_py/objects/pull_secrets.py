"""Secrets by which pods pull images from private registries."""

from collections.abc import Iterable


def pull_secrets(names: Iterable[str]) -> dict[str, list[dict[str, str]]]:
    """Return `imagePullSecrets` of a pod, or of the values of most charts; nothing without any."""
    references = [{"name": name} for name in names]
    return {"imagePullSecrets": references} if references else {}
