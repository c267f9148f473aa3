"""Custom rules, as policies of their own: the webhook does not evaluate them."""

from collections.abc import Iterator

from charts_py.components.admission_policies.pods import NAMES, PODS, namespaces_of
from charts_py.components.admission_policy import (
    MutatingPolicy,
    Policy,
    json_patch,
    named,
    requests,
)
from charts_py.platform.platform_namespaces import judged_namespaces
from gpus.platform_names import LABEL_PREFIX
from policies.cel.pod import IS_NO_STATIC_POD
from policies.custom.rules import severity_of
from policies.custom_rule import CustomAudience
from policies.in_cel.action import Action
from policies.in_cel.custom_rules import asks_for_gpu, fix_stages, fix_variables, validations
from policies.in_cel.match_conditions import MatchCondition, exemptions
from policies.settings import Settings

FIXED = f"custom-rules-fixed.{LABEL_PREFIX}"


def custom_rule_policies(settings: Settings) -> Iterator[Policy | MutatingPolicy]:
    """Yield what fixes pods, and for each action and audience what validates them."""
    if stages := fix_stages(settings):
        yield MutatingPolicy(
            name=FIXED,
            namespaces=judged_namespaces(settings),
            rule=requests("", "pods", operations=("CREATE",)),
            conditions=(IS_NO_STATIC_POD, *named(exemptions(settings))),
            variables=fix_variables(settings),
            # Another policy validates what must hold.
            mutations=[json_patch(stage) for stage in stages],
        )
    for action in Action:
        for audience in CustomAudience:
            if policy := _validating(action, audience, settings):
                yield policy


def _validating(action: Action, audience: CustomAudience, settings: Settings) -> Policy | None:
    found = list(validations(action, audience, settings))
    if not found:
        return None
    rules = [(custom.name, severity_of(custom)) for custom, _ in found]
    return Policy(
        name=f"custom-rules-{NAMES[action]}.{audience.value}.{LABEL_PREFIX}",
        namespaces=namespaces_of(action, rules, settings),
        rule=PODS,
        conditions=_of_audience(audience, settings),
        validations=[validation for _, validation in found],
        action=action,
    )


def _of_audience(audience: CustomAudience, settings: Settings) -> list[MatchCondition]:
    conditions = [IS_NO_STATIC_POD, *named(exemptions(settings))]
    if audience is CustomAudience.GPU_PODS:
        conditions += named({"asks-for-gpus": asks_for_gpu(settings)})
    return conditions
