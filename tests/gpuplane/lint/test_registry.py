"""Rules that a user names."""

import pytest

from gpuplane.lint.registry import rule_selection
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of


def test_what_is_selected_is_told_without_what_is_ignored() -> None:
    selection = rule_selection(["host-ipc", "template", "own"], ["template"], ["own"])
    named = ("host-ipc", "template", "own", "memory-limit")
    assert [selection.has(name) for name in named] == [True, False, True, False]


def test_ignoring_all_that_is_selected_is_refused() -> None:
    with pytest.raises(DistError) as raised:
        rule_selection(["host-ipc", "privileged"], ["privileged", "host-ipc", "template"], [])
    assert str(raised.value) == (
        "every rule of --select is in --ignore, so none is left: host-ipc, privileged"
    )


def test_all_is_told_where_nothing_is_selected() -> None:
    selection = rule_selection([], ["template"], [])
    assert (selection.has("host-ipc"), selection.has("template")) == (True, False)


@pytest.mark.parametrize(
    ("name", "nearest"), [("host-ip", "host-ipc"), ("templat", "template"), ("ow-rule", "own-rule")]
)
def test_an_unknown_rule_is_told_with_the_nearest(name: str, nearest: str) -> None:
    message = message_of(DistError, rule_selection, [name], [], ["own-rule"])
    assert message.startswith(f'unknown rule "{name}"; allowed: gpu-count, ')
    assert message.endswith(f"; nearest: {nearest}")


def test_several_rules_in_one_option_are_refused() -> None:
    message = message_of(DistError, rule_selection, ["host-ipc,template"], [], [])
    what = 'unknown rule "host-ipc,template"; name one rule per option, and repeat it'
    assert message == what
