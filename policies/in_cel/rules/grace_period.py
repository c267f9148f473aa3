"""`policies.rules.grace_period` in CEL."""

from policies.in_cel.literal import text
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.settings import Settings

_SECONDS = "object.spec.?terminationGracePeriodSeconds.orValue(0)"


def _refusals(settings: Settings) -> str:
    most = settings.max_grace_period_seconds
    rest = (
        " seconds after it is told to end. Set spec.terminationGracePeriodSeconds to at most"
        f" {most}, and write checkpoints while it runs."
    )
    found = f"{text('The pod may keep its GPUs for ')} + string({_SECONDS}) + {text(rest)}"
    return f"{_SECONDS} > {most} ? [{found}] : []"


RULE_IN_CEL = RuleInCel(RuleName.GRACE_PERIOD, refusals=_refusals)
