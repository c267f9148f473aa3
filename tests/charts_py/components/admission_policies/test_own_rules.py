"""Rules of a platform team's own in the policies of pods."""

from __future__ import annotations

import pytest

from charts_py.components.admission_policies.pods import pods_policies
from policies.mode import Mode
from policies.settings import Settings
from policies.settings_own_rule import OwnAudience, OwnRule


@pytest.mark.parametrize(
    ("expression", "audience", "old"),
    [
        ("request.namespace != 'a'", OwnAudience.ALL_PODS, "variables.found"),
        ("request.namespace != 'a'", OwnAudience.GPU_PODS, "variables.old_a_refused"),
        ("has(object.spec.volumes)", OwnAudience.ALL_PODS, "variables.old_a_refused"),
    ],
)
def test_what_was_found_before_an_update_is_known_whatever_a_rule_reads(
    expression: str, audience: OwnAudience, old: str
) -> None:
    own = OwnRule("a", expression, "No.", audience=audience)
    settings = Settings("test", mode=Mode.OFF, modes={"a": Mode.ENFORCE}, own=(own,))
    (policy,) = pods_policies(settings)
    variables = {each["name"]: each["expression"] for each in policy.body["variables"]}
    assert variables["old_found"] == old
    assert list(variables)[-1] == "old_found"
