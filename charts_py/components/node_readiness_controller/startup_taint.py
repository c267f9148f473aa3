"""Whether nodes can start with a taint that the readiness controller takes off.

An autoscaler that does not know the taint starts another node in place of each that has it.
"""

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft
from charts_py.providers.registry import PROVIDERS

WITH_KARPENTER = f'with eks.provisioner "{EksProvisioner.KARPENTER}"'
"""Where an autoscaler knows it."""


def takes_startup_taints(draft: Draft) -> bool:
    """Return whether what makes the nodes knows the taints that they start with."""
    return PROVIDERS[draft.provider.name].provisioner(draft.cluster).takes_startup_taints


def unknown_taint(draft: Draft, field: FieldPath, allowed: str) -> Problem:
    """Return the problem of a field that asks for such a taint where none knows it."""
    what = f"no node on {draft.provider.name} starts with a taint that its autoscaler knows"
    return Problem(field, what, allowed)
