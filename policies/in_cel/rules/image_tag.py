"""`policies.rules.image_tag` in CEL."""

from policies.in_cel.literal import text
from policies.in_cel.pod_variables import CULPRIT
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.rules.image_tag import LATEST
from policies.settings import Settings

_UNTAGGED = 'container.image.matches("^([^@]*/)?[^/:@]*$")'
_LATEST = f'container.image.matches("^([^@]*/)?[^/:@]*:{LATEST}$")'


def _refusals(_settings: Settings) -> str:
    return (
        f'variables.containers.filter(container, has(container.image) && container.image != ""'
        f" && ({_UNTAGGED} || {_LATEST})).map(container,"
        f' "The " + {CULPRIT} + " runs " + {shown("container.image")} + " with "'
        f' + ({_LATEST} ? "the tag {LATEST}" : "no tag")'
        f" + {text(', which can be another image tomorrow. Name a version or a digest.')})"
    )


RULE_IN_CEL = RuleInCel(RuleName.IMAGE_TAG, refusals=_refusals)
