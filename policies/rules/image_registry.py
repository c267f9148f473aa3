"""Images of GPU pods come from registries that the platform trusts.

Flaws of the container toolkit such as CVE-2024-0132 enter by what an image contains:
https://nvidia.custhelp.com/app/answers/detail/a_id/5582
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import shown, text
from policies.finding import Severity
from policies.image import read_image
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.context import Context
    from policies.finding import Finding
    from policies.image import Image
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterator[Finding]:
    """Refuse images from elsewhere; allow all where no registry is named."""
    registries = context.settings.registries
    if not registries:
        return
    for container in pod.containers:
        image = text(container.raw.get("image"))
        if image and not _is_from(read_image(image), registries):
            yield RULE.finding(
                path=f"{container.pointer}/image",
                culprit=container.culprit,
                message=f"The {container.culprit} runs {shown(image)}, which is not from an "
                "allowed registry.",
                remedy=f"Use an image below one of: {', '.join(registries)}.",
            )


def _is_from(image: Image, registries: tuple[str, ...]) -> bool:
    for registry in registries:
        prefix = registry.rstrip("/")
        if image.repository == prefix or image.repository.startswith(f"{prefix}/"):
            return True
    return False


RULE = Rule(
    RuleName.IMAGE_REGISTRY,
    summary="Images of a GPU pod come from allowed registries.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
