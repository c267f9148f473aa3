import pytest

from policies.nearest_rules import nearest_rules


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("shm", ("shared-memory",)),
        ("dev shm", ("shared-memory",)),
        ("shared-memori", ("shared-memory",)),
        ("hostIPC", ("host-ipc",)),
        ("digest", ("image-tag",)),
        ("arm64", ("host-architecture",)),
        ("scheduler", ("queue-scheduler",)),
        ("taint", ("tolerations",)),
        ("quota", ()),
        ("pod", ("pod-security",)),
    ],
)
def test_a_rule_is_found_by_its_name_and_by_words_of_its_summary(
    name: str, rules: tuple[str, ...]
) -> None:
    assert nearest_rules(name) == rules


def test_rules_of_ones_own_are_near_by_their_names() -> None:
    assert nearest_rules("no-hostnetwork", ("no-host-network",)) == ("no-host-network",)


def test_rules_that_begin_with_a_part_come_before_those_that_only_hold_it() -> None:
    own = ("never-on-spot-nodes", "spot-fallback", "spot-notice")
    assert nearest_rules("spot", own) == ("spot-fallback", "spot-notice", "never-on-spot-nodes")
