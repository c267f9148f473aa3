"""Images by which admission refuses GPU pods: those of registries that are not allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.image import read_image
from policies.mode import Mode
from policies.rule_name import RuleName
from policies.rules.image_registry import is_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from charts_py.platform.platform import Platform


def refused_images(platform: Platform, images: Iterable[str]) -> Iterator[str]:
    """Yield those of some images, as they are in mirrors, that admission refuses in GPU pods."""
    policies = platform.cluster.policies
    mode = policies.rules.get(RuleName.IMAGE_REGISTRY, policies.mode)
    allowed = platform.mirrors.allowed(policies.registries)
    if allowed and mode is Mode.ENFORCE:
        for image in map(platform.mirrors.of, images):
            if not is_from(read_image(image), allowed):
                yield image


def allowed_images(platform: Platform) -> str:
    """Return what is allowed, in words."""
    places = ", ".join(platform.mirrors.allowed(platform.cluster.policies.registries))
    return f"an image below {places}; or its registry in policies.registries"
