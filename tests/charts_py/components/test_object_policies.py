"""Every policy of every cluster is evaluated on manifests, or has a rule beside it."""

from collections.abc import Mapping

from charts_py.components.object_policies import object_policies
from charts_py.components.registry import plan_components
from charts_py.platform.platform import Platform

BY_RULES = ("custom-rules-", "granted-pools.", "job-priorities.", "pods-")
"""What the names of policies begin with that say what a rule says."""
OF_NODES = "gpu-health."
"""What the name of a policy begins with that judges nodes, of which there are no manifests."""

OF_REPAIR = ".gpu-repair.gpuplane.io"
"""What the names of policies end with that judge what one account does, which applies nothing."""


def test_no_policy_of_a_component_is_left_out(platforms: Mapping[str, Platform]) -> None:
    for name, platform in platforms.items():
        rendered = {
            document["metadata"]["name"]
            for component in plan_components(platform)
            for document in (component.objects() if component.objects else ())
            if document["kind"] == "ValidatingAdmissionPolicy"
        }
        judged = {
            each["metadata"]["name"]
            for each in object_policies(platform)
            if each["kind"] == "ValidatingAdmissionPolicy"
        }
        others = {
            each
            for each in rendered
            if not each.startswith((*BY_RULES, OF_NODES)) and not each.endswith(OF_REPAIR)
        }
        assert (name, judged) == (name, others)
