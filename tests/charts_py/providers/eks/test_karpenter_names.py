"""Names of Karpenter's NodePools."""

import re

from charts_py.providers.eks.karpenter_names import MINIMUM_SUFFIX, NAME_WITH_MINIMUM
from gpus.label_value import MAX_LABEL_VALUE


def test_the_longest_name_leaves_room_for_the_suffix_in_a_label() -> None:
    longest = "a" * NAME_WITH_MINIMUM.max_length
    assert len(longest + MINIMUM_SUFFIX) == MAX_LABEL_VALUE
    assert re.fullmatch(NAME_WITH_MINIMUM.pattern, longest)
    assert not re.fullmatch(NAME_WITH_MINIMUM.pattern, f"{longest}a")
