"""Values of Kubernetes labels."""

import hashlib
import re

MAX_LABEL_VALUE = 63
"""Characters: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""
_DIGEST_LENGTH = 8
LABEL_VALUE = r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?"
"""Source: `IsValidLabelValue` in
https://github.com/kubernetes/apimachinery/blob/master/pkg/util/validation/validation.go"""
_PATTERN = re.compile(LABEL_VALUE)


def label_value(name: str) -> str:
    """Return the name; where it is too long for a label, its beginning and its digest."""
    if len(name) <= MAX_LABEL_VALUE:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_LENGTH]
    head = name[: MAX_LABEL_VALUE - _DIGEST_LENGTH - 1].rstrip("-.")
    return f"{head}-{digest}"


def is_label_value(text: str) -> bool:
    """Return whether a label can have the value; the API server refuses others."""
    return len(text) <= MAX_LABEL_VALUE and _PATTERN.fullmatch(text) is not None
