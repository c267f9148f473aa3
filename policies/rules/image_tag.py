"""Images of GPU pods have names that keep meaning the same image."""

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


LATEST = "latest"


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse images with neither tag nor digest, and the tag `latest`, as volumes too."""
    containers = [
        container
        for container in pod.containers
        if (image := container.image) and _floats(read_image(image))
    ]
    volumes = [volume for volume in image_volumes(pod) if _floats(read_image(volume.image))]
    return _refusals(containers, volumes) if containers or volumes else ()


def _floats(image: Image) -> bool:
    return not image.digest and image.tag in ("", LATEST)


def _refusals(containers: Sequence[Container], volumes: Sequence[ImageVolume]) -> Iterator[Finding]:
    for container in containers:
        path = f"{container.pointer}/image"
        yield _refusal(path, container.culprit, "runs", container.image)
    for volume in volumes:
        yield _refusal(volume.pointer, volume.culprit, "mounts", volume.image)


def _refusal(path: str, culprit: str, use: str, image: str) -> Finding:
    reason = f"the tag {LATEST}" if read_image(image).tag else "no tag"
    return RULE.finding(
        path=path,
        culprit=culprit,
        message=f"The {culprit} {use} {shown(image)} with {reason}, which can be another image "
        "tomorrow.",
        remedy="Name a version or a digest.",
    )


RULE: Rule = Rule(
    RuleName.IMAGE_TAG,
    summary="Images of a GPU pod have a tag other than latest, or a digest.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
