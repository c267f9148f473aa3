"""The rules of the linter, in the order in which they are reported."""

from gpuplane.lint.rules import (
    api_version,
    container_resources,
    gpus_after_finish,
    invalid_fields,
    job_backoff_limit,
    job_ttl,
    queue_name,
    readiness_probe,
    spot_fallback,
    stacked_replicas,
    world_size,
)
from gpuplane.lint.template_rule import TemplateRule

TEMPLATE_RULES: tuple[TemplateRule, ...] = (
    api_version.RULE,
    invalid_fields.RULE,
    container_resources.RULE,
    queue_name.RULE,
    world_size.RULE,
    gpus_after_finish.RULE,
    job_backoff_limit.RULE,
    job_ttl.RULE,
    readiness_probe.RULE,
    stacked_replicas.RULE,
    spot_fallback.RULE,
)
