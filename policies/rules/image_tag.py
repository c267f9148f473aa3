"""Images of GPU pods have names that keep meaning the same image."""

from collections.abc import Iterable, Iterator, Sequence

from policies.cel.text import shown_in_cel
from policies.container import Container
from policies.document import shown
from policies.finding import Finding, Severity
from policies.image import Image, ImageVolume, image_volumes, read_image
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

LATEST = "latest"
_FLOATING = Message(
    "The {use}{image} with {reason}, which can be another image tomorrow.",
    "Name a version or a digest.",
)


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
        _FLOATING,
        path=path,
        culprit=culprit,
        use=f"{culprit} {use} ",
        image=shown(image),
        reason=reason,
    )


_UNTAGGED = 'image[1].matches("^([^@]*/)?([^/:@]*|[^/@]*:)@?$")'
_LATEST = f'image[1].matches("^([^@]*/)?[^/@]*:{LATEST}@?$")'
"""An empty digest is none."""


def _refusals_in_cel(_settings: Settings) -> str:
    found = _FLOATING.in_cel(
        use="image[0]",
        image=shown_in_cel("image[1]"),
        reason=f'({_LATEST} ? "the tag {LATEST}" : "no tag")',
    )
    return f"variables.images.filter(image, {_UNTAGGED} || {_LATEST}).map(image, {found})"


RULE: Rule = Rule(
    RuleName.IMAGE_TAG,
    summary="Images of a GPU pod have a tag other than latest, or a digest.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel),
)
