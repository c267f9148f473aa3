"""Secrets by which pods pull images from private registries."""

from collections.abc import Iterable


def pull_secrets(
    names: Iterable[str], field: str = "imagePullSecrets"
) -> dict[str, list[dict[str, str]]]:
    """Return the field of a pod, or of the values of a chart; nothing without any names."""
    references = [{"name": name} for name in names]
    return {field: references} if references else {}
