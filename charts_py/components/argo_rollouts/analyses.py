"""The policies that bound what Argo Rollouts asks and computes for a team.

It measures and evaluates conditions of all teams in a few workers, from its own network. A
condition is an expression of https://expr-lang.org, whose ranges and closures can run for hours.
"""

from charts_py.components.admission_policy import UNCHANGED, Policy, requests, validation
from gpus.platform_names import LABEL_PREFIX
from policies.cel.text import quote, texts

_GROUP = "argoproj.io"
_FIELDS = ("address", "query", "timeout")
"""Of a measurement by Prometheus; `rangeQuery` has expressions of its own."""
_MOST_METRICS = 5
_MOST_TEMPLATES = 5
_LONGEST_CONDITION = 200
_WORDS = (
    *("result", "len", "isNaN", "isInf", "asInt", "asFloat", "default"),
    *("and", "or", "not", "in", "true", "false", "nil"),
)
"""What a condition may name. It takes no time that grows with anything but the answer."""
_CONDITION = (
    rf"^(?:(?:{'|'.join(_WORDS)})\b|[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?|[\[\]()<>=!&|+*/%,-]|\s)*$"
)


def analysis_templates(prometheus_url: str | None) -> Policy:
    """Return the policy of a platform whose Prometheus answers at the address, if at all."""
    metrics = "object.spec.?metrics.orValue([])"
    conditions = (
        '[metric.?successCondition.orValue(""), metric.?failureCondition.orValue("")].all(stated, '
        f"size(stated) <= {_LONGEST_CONDITION} && stated.matches({quote(_CONDITION)}))"
    )
    return Policy(
        name=f"analysis-templates.{LABEL_PREFIX}",
        rule=requests(_GROUP, "analysistemplates", version="*"),
        validations=(
            _providers(metrics, prometheus_url),
            validation(
                f"{UNCHANGED} || {metrics}.all(metric, {conditions})",
                "A successCondition or failureCondition of an AnalysisTemplate has at most "
                f"{_LONGEST_CONDITION} characters, and compares numbers by "
                f"{', '.join(_WORDS)} and operators, such as `result[0] <= 0.05`; it has no "
                "ranges, closures, texts or arguments.",
            ),
            validation(
                f"{UNCHANGED} || size({metrics}) <= {_MOST_METRICS}"
                " && size(object.spec.?templates.orValue([])) == 0",
                f"An AnalysisTemplate has at most {_MOST_METRICS} metrics, and no templates; "
                "a Rollout may name several AnalysisTemplates.",
            ),
        ),
    )


def _providers(metrics: str, prometheus_url: str | None) -> dict[str, str]:
    if prometheus_url is None:
        return validation(
            f"{UNCHANGED} || size({metrics}) == 0",
            "An AnalysisTemplate has no metrics here: the platform names no Prometheus, by "
            "addons.monitoring.prometheusUrl, and nobody else is asked.",
        )
    asked = "metric.?provider.?prometheus"
    is_taken = " && ".join(
        (
            f'{asked}.?address.orValue("") == {quote(prometheus_url)}',
            'dyn(metric.provider).all(kind, kind == "prometheus")',
            f"dyn(metric.provider.prometheus).all(field, field in {texts(_FIELDS)})",
        )
    )
    return validation(
        f"{UNCHANGED} || {metrics}.all(metric, {is_taken})",
        f"A metric of an AnalysisTemplate has the provider prometheus alone, with the address "
        f"{prometheus_url} and no fields but {', '.join(_FIELDS)}.",
    )


def _few(analysis: str) -> str:
    return f"size({analysis}.?templates.orValue([])) <= {_MOST_TEMPLATES}"


_CANARY, _BLUE_GREEN = (f"object.spec.?strategy.?{each}" for each in ("canary", "blueGreen"))
_STEPS = f"{_CANARY}.?steps.orValue([])"
ROLLOUTS = Policy(
    name=f"rollouts.{LABEL_PREFIX}",
    rule=requests(_GROUP, "experiments", "rollouts", version="*"),
    validations=(
        validation(
            f'{UNCHANGED} || request.resource.resource != "experiments"'
            f" && {_STEPS}.all(step, !step.?experiment.hasValue())",
            "Experiments are not allowed, nor steps of a Rollout that make them: they start any "
            "number of analyses at once; use a step with an analysis.",
        ),
        validation(
            f"{UNCHANGED} || {_STEPS}.all(step, {_few('step.?analysis')})"
            f" && {_few(f'{_CANARY}.?analysis')}"
            f" && {_few(f'{_BLUE_GREEN}.?prePromotionAnalysis')}"
            f" && {_few(f'{_BLUE_GREEN}.?postPromotionAnalysis')}",
            f"An analysis of a Rollout names at most {_MOST_TEMPLATES} templates.",
        ),
    ),
)
