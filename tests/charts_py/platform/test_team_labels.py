from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from charts_py.platform.team_labels import owner_label, team_labels

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

_LABEL_VALUE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
_MAIL_ADDRESS = st.from_regex(r"[^@\s]+@[^@\s]+", fullmatch=True)


def test_a_namespace_names_its_team_and_who_pays(example: Callable[[str], Platform]) -> None:
    assert {each.name: team_labels(each) for each in example("training").namespaces} == {
        "recommendations": {
            "gpuplane.io/team": "recommendations",
            "gpuplane.io/cost-center": "4712",
            "gpuplane.io/project": "recommendations",
        },
        "research-notebooks": {
            "gpuplane.io/team": "research",
            "gpuplane.io/cost-center": "4711",
            "gpuplane.io/project": "foundation-models",
        },
        "research-training": {
            "gpuplane.io/team": "research",
            "gpuplane.io/cost-center": "4711",
            "gpuplane.io/project": "foundation-models",
        },
    }


@pytest.mark.parametrize(
    ("mail_address", "label"),
    [
        ("research-leads@example.com", "research-leads_at_example.com"),
        ("ml+gpu@example.com", "ml_gpu_at_example.com-12eeff45"),
        ("_ml@example.com", "ml_at_example.com-6fff3947"),
        (f"{'m' * 60}@example.com", f"{'m' * 54}-ca40cdca"),
    ],
)
def test_a_mail_address_becomes_a_label_value(mail_address: str, label: str) -> None:
    assert owner_label(mail_address) == label


@given(_MAIL_ADDRESS)
def test_every_mail_address_has_a_label_value(mail_address: str) -> None:
    assert _LABEL_VALUE.fullmatch(owner_label(mail_address))


@given(_MAIL_ADDRESS, _MAIL_ADDRESS)
def test_two_mail_addresses_have_two_label_values(one: str, other: str) -> None:
    assert (owner_label(one) == owner_label(other)) is (one == other)
