"""Values of Kubernetes labels."""

from __future__ import annotations

import hashlib

MAX_LABEL_VALUE = 63
"""Characters: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""
_DIGEST_LENGTH = 8


def label_value(name: str) -> str:
    """Return the name; where it is too long for a label, its beginning and its digest."""
    if len(name) <= MAX_LABEL_VALUE:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_LENGTH]
    head = name[: MAX_LABEL_VALUE - _DIGEST_LENGTH - 1].rstrip("-.")
    return f"{head}-{digest}"
