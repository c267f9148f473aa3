"""What is known of an expression is what the policies say of it."""

import pytest

from charts_py.platform.own_expression import faults_in, tree_of
from policies.own.own_faults import Returns, checked_tree, own_faults


@pytest.mark.parametrize("returns", Returns)
@pytest.mark.parametrize("expression", ["true", "'a'", "", "object.", "now() == 1"])
def test_it_is_what_the_policies_say(expression: str, returns: Returns) -> None:
    assert faults_in(expression, returns) == tuple(own_faults(expression, returns))
    assert tree_of(expression) == checked_tree(expression)
