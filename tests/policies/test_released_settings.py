"""Settings across releases: `released_settings/` has a document of each release, with every member.

A webhook reads what the release before wrote, and the release before reads what is written now for
a cluster that uses nothing new.
"""

import json
from pathlib import Path

import pytest

from policies.settings_json import SettingsError, read_settings, write_settings

RELEASED = sorted(
    (Path(__file__).parent / "released_settings").glob("*.json"),
    key=lambda file: tuple(map(int, file.stem.split("."))),
)
LAST = RELEASED[-1].read_text(encoding="utf-8")


@pytest.mark.parametrize("file", RELEASED, ids=lambda file: file.stem)
def test_settings_of_a_release_can_be_read(file: Path) -> None:
    assert read_settings(file.read_bytes()).cluster == "training"


def test_what_the_last_release_does_not_know_is_not_written_for_a_cluster_without_it() -> None:
    assert write_settings(read_settings(LAST)) == LAST


def test_the_document_of_a_release_has_members_that_are_not_their_defaults() -> None:
    read = json.loads(LAST)
    default = json.loads(write_settings(read_settings('{"version": 1, "cluster": "c"}')))
    assert [name for name in read if read[name] == default.get(name)] == ["version"]


@pytest.mark.parametrize(
    ("changes", "is_unknown"),
    [
        ({"new": True}, True),
        ({"modes": {"new-rule": "off"}}, True),
        ({"mode": "new"}, True),
        ({"version": 2}, True),
        ({"cluster": 1}, False),
        ({"pools": [{}]}, False),
    ],
)
def test_what_a_newer_release_may_have_written_is_told_from_what_none_writes(
    changes: dict[str, object], is_unknown: bool
) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(json.dumps(json.loads(LAST) | changes))
    assert caught.value.is_unknown is is_unknown
