"""Names of Karpenter's NodePools, each of which becomes a label's value on its nodes."""

from charts_py.platform.name_rule import label_value_rule
from gpus.label_value import MAX_LABEL_VALUE

MINIMUM_SUFFIX = ".minimum"
"""Ends the name of the NodePool that holds a minimum size; no pool's name has a dot in it."""

NAME_WITH_MINIMUM = label_value_rule(
    "a Karpenter NodePool with a minimum size", MAX_LABEL_VALUE - len(MINIMUM_SUFFIX)
)
"""Names of pools whose NodePool gets the suffix
(https://karpenter.sh/v1.14/concepts/scheduling/#labels: `karpenter.sh/nodepool`)."""
