"""The policy that bounds whom KEDA asks for a team.

KEDA asks with its own network and identity, and an answer that is none of Prometheus ends it for
all teams: `ExecutePromQuery` in https://github.com/kedacore/keda, pkg/scalers/prometheus_scaler.go.
Triggers by CPU, memory and time ask the API server alone: https://keda.sh/docs/2.20/scalers/
"""

from charts_py.components.admission_policy import UNCHANGED, Policy, requests, validation
from gpus.platform_names import LABEL_PREFIX
from policies.cel.text import quote, texts

_ASKS_NOBODY = ("cpu", "memory", "cron")
_FIELDS = (
    "serverAddress",
    "query",
    "threshold",
    "activationThreshold",
    "ignoreNullValues",
    "namespace",
)
"""Of a trigger that asks Prometheus. The others change where or as whom it asks."""

_USUAL_SECONDS, _LEAST_SECONDS, _MOST_TRIGGERS = 30, 5, 10
"""The first is KEDA's default."""
_PUSHED = ("scalerAddress", "interceptorRoute")


def scaled_objects(prometheus_url: str | None, scaler: str | None = None) -> Policy:
    """Return the policy of a platform whose Prometheus answers at the address, if at all.

    `scaler` is the address of the HTTP add-on's, which has a team's own routes alone: KEDA tells it
    the namespace of the ScaledObject.
    """
    modified = "object.spec.?advanced.?scalingModifiers"
    return Policy(
        name=f"scaled-objects.{LABEL_PREFIX}",
        rule=requests("keda.sh", "scaledobjects", version="*"),
        validations=(
            _triggers(prometheus_url, scaler),
            validation(
                f"{UNCHANGED} || object.spec.triggers.all(trigger, "
                "!trigger.?authenticationRef.hasValue())",
                "A trigger of a ScaledObject has no authenticationRef: KEDA reads no secrets of "
                "teams, and asks nobody by its own identity.",
            ),
            validation(
                f"{UNCHANGED} || !{modified}.hasValue()",
                "A ScaledObject has no advanced.scalingModifiers: KEDA would evaluate its formula "
                "for all teams; compute in the query.",
            ),
            validation(
                f"{UNCHANGED} || object.spec.?pollingInterval.orValue({_USUAL_SECONDS}) >= "
                f"{_LEAST_SECONDS} && size(object.spec.triggers) <= {_MOST_TRIGGERS}",
                f"A ScaledObject has a pollingInterval of at least {_LEAST_SECONDS} seconds and "
                f"at most {_MOST_TRIGGERS} triggers: Prometheus answers all teams.",
            ),
        ),
    )


def _triggers(prometheus_url: str | None, scaler: str | None) -> dict[str, str]:
    taken, allowed = f"trigger.type in {texts(_ASKS_NOBODY)}", "cpu, memory or cron"
    if prometheus_url is not None:
        address = "trigger.metadata.?serverAddress.orValue('')"
        fields = f"trigger.metadata.all(field, field in {texts(_FIELDS)})"
        taken += (
            f' || trigger.type == "prometheus" && {address} == {quote(prometheus_url)} && {fields}'
        )
        allowed = (
            f"{allowed}, or prometheus with the serverAddress {prometheus_url} and no fields of "
            f"metadata but {', '.join(_FIELDS)}"
        )
    if scaler is not None:
        address = "trigger.metadata.?scalerAddress.orValue('')"
        fields = f"trigger.metadata.all(field, field in {texts(_PUSHED)})"
        route = '"interceptorRoute" in trigger.metadata'
        taken += (
            f' || trigger.type == "external-push" && {address} == {quote(scaler)} && {fields}'
            f" && {route}"
        )
        allowed = (
            f"{allowed}, or external-push with the scalerAddress {scaler}, an interceptorRoute "
            "and no other fields of metadata"
        )
    return validation(
        f"{UNCHANGED} || object.spec.triggers.all(trigger, {taken})",
        f"A trigger of a ScaledObject has the type {allowed}.",
    )
