"""Images of GPU pods come from registries that the platform trusts.

Flaws of the container toolkit such as CVE-2024-0132 are exploited by the contents of an image:
https://nvidia.custhelp.com/app/answers/detail/a_id/5582
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import shown
from policies.finding import Severity
from policies.image import read_image
from policies.image_volume import image_volumes
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.image import Image
    from policies.image_volume import ImageVolume
    from policies.pod import Pod


def concerns(context: Context) -> bool:
    """Whether any registry is named; otherwise all images are allowed."""
    return bool(context.settings.registries)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse images from other registries, those that are mounted as volumes too."""
    registries = context.settings.registries
    containers = [
        container
        for container in pod.containers
        if (image := container.image) and not is_from(read_image(image), registries)
    ]
    volumes = [
        volume for volume in image_volumes(pod) if not is_from(read_image(volume.image), registries)
    ]
    return _refusals(containers, volumes, registries) if containers or volumes else ()


def _refusals(
    containers: Sequence[Container], volumes: Sequence[ImageVolume], registries: tuple[str, ...]
) -> Iterator[Finding]:
    for container in containers:
        path = f"{container.pointer}/image"
        yield _refusal(path, container.culprit, f"runs {shown(container.image)}", registries)
    for volume in volumes:
        yield _refusal(volume.pointer, volume.culprit, f"mounts {shown(volume.image)}", registries)


def _refusal(path: str, culprit: str, use: str, registries: tuple[str, ...]) -> Finding:
    return RULE.finding(
        path=path,
        culprit=culprit,
        message=f"The {culprit} {use}, which is not from an allowed registry.",
        remedy=f"Use an image below one of: {', '.join(registries)}.",
    )


def is_from(image: Image, registries: tuple[str, ...]) -> bool:
    """Return whether an image is below one of these prefixes."""
    for registry in registries:
        prefix = registry.rstrip("/")
        if image.repository == prefix or image.repository.startswith(f"{prefix}/"):
            return True
    return False


RULE: Rule = Rule(
    RuleName.IMAGE_REGISTRY,
    summary="Images of a GPU pod come from allowed registries.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    concerns=concerns,
)
