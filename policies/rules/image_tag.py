"""Images of GPU pods have names that keep meaning the same image."""

from collections.abc import Iterable, Iterator

from policies.cel.text import shown_in_cel
from policies.document import shown
from policies.finding import Finding
from policies.image import LATEST, UsedImage, is_fixed, read_image, wrong_images
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

_FLOATING = Message(
    "The {use}{image} with {reason}, which can be another image tomorrow.",
    "Name a version or a digest.",
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    images = wrong_images(pod, is_fixed)
    return _refusals(images) if images else ()


def _refusals(images: Iterable[UsedImage]) -> Iterator[Finding]:
    for path, culprit, use, name in images:
        reason = f"the tag {LATEST}" if read_image(name).tag else "no tag"
        values = {"use": f"{culprit} {use} ", "image": shown(name), "reason": reason}
        yield RULE.finding(_FLOATING, path=path, culprit=culprit, values=values)


_UNTAGGED = 'image[1].matches("^([^@]*/)?([^/:@]*|[^/@]*:)@?$")'
_LATEST = f'image[1].matches("^([^@]*/)?[^/@]*:{LATEST}@?$")'
"""An empty digest is none."""

_FOUND = _FLOATING.in_cel(
    use="image[0]",
    image=shown_in_cel("image[1]"),
    reason=f'({_LATEST} ? "the tag {LATEST}" : "no tag")',
)
_REFUSED = f"variables.images.filter(image, {_UNTAGGED} || {_LATEST}).map(image, {_FOUND})"

RULE: Rule = Rule(
    RuleName.IMAGE_TAG,
    summary="Images of a GPU pod have a tag other than latest, or a digest.",
    evaluate=evaluate,
    in_cel=InCel(refusals=always(_REFUSED)),
)
