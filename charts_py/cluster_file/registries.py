"""Where images are pulled from instead of their own registries."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.image_name import HOST, PART
from charts_py.cluster_file.refused import Refused
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import ObjectName
from charts_py.cluster_file.unique import Unique

_EXAMPLE = "registry.example.com/nvcr"


def _place(text: str) -> str:
    _, scheme, bare = text.partition("://")
    if scheme:
        raise Refused(f'"{text}" has a scheme', bare.rstrip("/") or _EXAMPLE)
    if text.endswith("/"):
        raise Refused(f'"{text}" ends in a slash', text.rstrip("/"))
    if not re.fullmatch(rf"{HOST}(/{PART})*", text):
        allowed = f"a registry and a folder in it, such as {_EXAMPLE}"
        raise Refused(f'"{text}" has the wrong format', allowed)
    return text


PlaceInRegistry = Annotated[str, AfterValidator(_place), Field(examples=[_EXAMPLE])]
"""A registry, and a folder in it if any."""


DOCKER_HUB = "docker.io"
DOCKER_HUB_SERVERS = ("index.docker.io", "registry-1.docker.io", "registry.hub.docker.com")
"""Other names of it, which names of images have not
(`splitDockerDomain` in https://github.com/distribution/reference/blob/v0.6.0/normalize.go)."""


def is_registry(name: str) -> bool:
    """Return whether names of images can begin with it."""
    return re.fullmatch(HOST, name) is not None and name not in DOCKER_HUB_SERVERS


class Registry(StrictModel):
    """What takes the place of a registry."""

    mirror: PlaceInRegistry
    """Place of its images: `nvcr.io/nvidia/driver` is `registry.example.com/nvcr/nvidia/driver`
    where the mirror of `nvcr.io` is `registry.example.com/nvcr`. Each registry has a place of its
    own."""
    pull_secrets: Annotated[tuple[ObjectName, ...], Unique()] = ()
    """Secrets by which the mirror lets pods pull, besides those of `imagePullSecrets`, and like
    them."""
