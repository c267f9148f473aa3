"""Names of Karpenter's NodePools."""

import re

from charts_py.platform.karpenter_names import MINIMUM_SUFFIX, NAME_WITH_MINIMUM
from charts_py.platform.provider_facts import LONGEST_LABEL_VALUE


def test_the_longest_name_leaves_room_for_the_suffix_in_a_label() -> None:
    longest = "a" * NAME_WITH_MINIMUM.longest
    assert len(longest + MINIMUM_SUFFIX) == LONGEST_LABEL_VALUE
    assert re.fullmatch(NAME_WITH_MINIMUM.pattern, longest)
    assert not re.fullmatch(NAME_WITH_MINIMUM.pattern, f"{longest}a")
