"""Images of GPU pods are named so that they stay the same."""

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
    from policies.pod import Pod


LATEST = "latest"


def evaluate(pod: Pod, _context: Context) -> Iterator[Finding]:
    """Refuse images without tag or digest, and the tag `latest`."""
    for container in pod.containers:
        image = text(container.raw.get("image"))
        if not image:
            continue
        read = read_image(image)
        if read.digest or read.tag not in ("", LATEST):
            continue
        reason = f"the tag {LATEST}" if read.tag else "no tag"
        yield RULE.finding(
            path=f"{container.pointer}/image",
            culprit=container.culprit,
            message=f"The {container.culprit} runs {shown(image)} with {reason}, which can be "
            "another image tomorrow.",
            remedy="Name a version or a digest.",
        )


RULE = Rule(
    RuleName.IMAGE_TAG,
    summary="Images of a GPU pod have a tag other than latest, or a digest.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
