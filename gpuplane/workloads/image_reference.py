"""The form of an image's name: of https://github.com/distribution/reference/blob/v0.6.0/regexp.go."""

import re

from charts_py.cluster_file.image_name import DIGEST, PART, REGISTRY, TAG

_IMAGE = rf"({REGISTRY}/)?{PART}(/{PART})*(:{TAG})?(@{DIGEST})?"

ALLOWED = "such as registry.example.com/research/train:1.4"


def is_image(name: str) -> bool:
    """Return whether a container runtime can read a name as that of an image."""
    return re.fullmatch(_IMAGE, name) is not None
