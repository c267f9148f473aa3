"""Resources whose names are those of GPUs but for a typo: no plugin offers them.

Admission only warns of them, as it does of what a plugin may offer that is not the platform's.
"""

from gpus.nearest import is_one_typo
from policies.document import steps_of
from policies.finding import Finding
from policies.gpu_names import GpuNames
from policies.rule_name import RuleName

NEVER_STARTS = "No node has it, so the pod never starts."


def is_misspelled(name: str, names: GpuNames) -> bool:
    written = name.lower()
    return any(written == each or is_one_typo(written, each) for each in names.names)


def asks_for_none(finding: Finding, names: GpuNames) -> bool:
    """Whether a finding of admission is on such a name."""
    is_on_name = finding.rule == RuleName.GPU_RESOURCE_NAME
    return is_on_name and is_misspelled(steps_of(finding.path)[-1], names)
