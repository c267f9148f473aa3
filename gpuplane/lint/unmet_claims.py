"""Devices that pods claim by a ResourceClaimTemplate, and can never get.

Its claims count against the quota, in which there is none by default. What they are for stands in
the template alone.
"""

from collections.abc import Iterator

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, RuleFinding
from policies.document import elements, members, shown, text
from policies.pod import Pod
from policies.reach import usable
from policies.rules.granted_pools import remedy_without


def unmet_claims(pod: Pod, context: LintContext) -> Iterator[RuleFinding]:
    pools = usable(context.settings.pools, context.known_namespace)
    gives = any(pool.gives_to_claims for pool in pools)
    for index, claim in enumerate(elements(pod.spec.get("resourceClaims"))):
        name = text(members(claim).get("resourceClaimTemplateName"))
        classes = context.siblings.device_classes(name) & context.offer.names.device_classes
        if name and classes and not gives:
            what = ", ".join(sorted(classes))
            why = f"which no pool of namespace {context.namespace} gives out"
            remedy = remedy_without(pools)
        elif name and context.facts.claims.get(context.namespace) == 0:
            what = "devices"
            why = f"and the quota of {context.namespace} has room for no claim"
            other = "Leave the claim out" if pod.gpus else "Ask for a GPU resource"
            remedy = f"{other}, or have the platform team raise quota.resourceClaims."
        else:
            continue
        yield RuleFinding(
            f"/spec/resourceClaims/{index}/resourceClaimTemplateName",
            f"The pods claim {what} by the ResourceClaimTemplate {shown(name)}, {why}, so they "
            "never start.",
            remedy,
            severity=LintSeverity.ERROR,
        )
