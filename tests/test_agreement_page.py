"""The page of agreement tells of every rule and of every difference that is explained."""

from __future__ import annotations

import re

from policies.rules import RULES
from tests.e2e.in_tree.agreement import EXPLANATIONS
from tests.e2e.in_tree.agreement_page import PAGE
from tests.e2e.in_tree.sent_pods import Source

TEXT = PAGE.read_text(encoding="utf-8")


def test_it_has_a_row_for_each_rule() -> None:
    linked = re.findall(r"^\| \[([\w-]+)\]\(policies/\1\.md\) \|", TEXT, re.MULTILINE)
    assert linked == [rule.name.value for rule in RULES]


def test_it_has_pods_of_every_source() -> None:
    sent = re.findall(r"^\| (.+?) \| (\d+) \|(?: \d+ \|){4}$", TEXT, re.MULTILINE)
    *sources, (_, together) = [(name, int(count)) for name, count in sent]
    assert [name for name, count in sources if count] == list(Source)
    assert sum(count for _, count in sources) == together


def test_it_explains_every_difference_and_no_other() -> None:
    _, _, explained = TEXT.partition("## Differences\n")
    rows = re.findall(r"^\| (.+?) \| (\d+) \| (.+) \|$", explained, re.MULTILINE)
    assert {name: sentence for name, count, sentence in rows if count != "0"} == {
        name: each.sentence for name, each in EXPLANATIONS.items()
    }
    named = {name for cell in re.findall(r"([a-zA-Z ]+): \d+", TEXT) for name in [cell.strip()]}
    assert named <= EXPLANATIONS.keys()
