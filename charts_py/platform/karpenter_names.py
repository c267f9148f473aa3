"""Names of Karpenter's NodePools, each of which becomes a label's value on its nodes."""

from charts_py.platform.provider_facts import LONGEST_LABEL_VALUE, NameRule, label_value_pattern

MINIMUM_SUFFIX = ".minimum"
"""Ends the name of the NodePool that holds a least size; no pool's name has a dot in it."""

_LONGEST = LONGEST_LABEL_VALUE - len(MINIMUM_SUFFIX)

NAME_WITH_MINIMUM = NameRule(
    "a Karpenter NodePool with a least size", label_value_pattern(_LONGEST), _LONGEST
)
"""Names of pools whose NodePool gets the suffix
(https://karpenter.sh/v1.14/concepts/scheduling/#labels: `karpenter.sh/nodepool`)."""
