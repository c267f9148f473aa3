"""`policies.rules.image_tag` in CEL."""

from policies.in_cel.literal import text
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.rules.image_tag import LATEST
from policies.settings import Settings

_UNTAGGED = 'image[1].matches("^([^@]*/)?([^/:@]*|[^/@]*:)@?$")'
_LATEST = f'image[1].matches("^([^@]*/)?[^/@]*:{LATEST}@?$")'
"""An empty digest is none."""


def _refusals(_settings: Settings) -> str:
    return (
        f"variables.images.filter(image, {_UNTAGGED} || {_LATEST}).map(image,"
        f' "The " + image[0] + {shown("image[1]")} + " with "'
        f' + ({_LATEST} ? "the tag {LATEST}" : "no tag")'
        f" + {text(', which can be another image tomorrow. Name a version or a digest.')})"
    )


RULE_IN_CEL = RuleInCel(RuleName.IMAGE_TAG, refusals=_refusals)
