"""Images of GPU pods have names that keep meaning the same image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import shown
from policies.finding import Severity
from policies.image import read_image
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.image import Image
    from policies.pod import Pod


LATEST = "latest"


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse images with neither tag nor digest, and the tag `latest`."""
    floating = [
        container
        for container in pod.containers
        if (image := container.image) and _floats(read_image(image))
    ]
    return map(_refusal, floating) if floating else ()


def _floats(image: Image) -> bool:
    return not image.digest and image.tag in ("", LATEST)


def _refusal(container: Container) -> Finding:
    reason = f"the tag {LATEST}" if read_image(container.image).tag else "no tag"
    return RULE.finding(
        path=f"{container.pointer}/image",
        culprit=container.culprit,
        message=f"The {container.culprit} runs {shown(container.image)} with {reason}, which can "
        "be another image tomorrow.",
        remedy="Name a version or a digest.",
    )


RULE: Rule = Rule(
    RuleName.IMAGE_TAG,
    summary="Images of a GPU pod have a tag other than latest, or a digest.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
